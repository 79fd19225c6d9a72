package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
)

// completionFolder returns a folder with the program, named as its users call it, and the script of a shell. The test is skipped
// without the shell.
func completionFolder(t *testing.T, shell string) string {
	t.Helper()
	if _, err := exec.LookPath(shell); err != nil {
		skipUnlessRequired(t, "TONQL_REQUIRE_SHELLS", shell+" is not installed")
	}
	path, err := binary()
	require.NoError(t, err)
	folder := t.TempDir()
	require.NoError(t, os.Symlink(path, filepath.Join(folder, "tonql")))
	script, err := invoke(t, "completion", shell)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "script"), []byte(script), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "afile.yaml"), nil, 0o600))
	return folder
}

// inFolder returns a command of a shell that has only the environment of the folder.
func inFolder(t *testing.T, folder, shell string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), shell, args...)
	cmd.Dir = folder
	cmd.Env = []string{"PATH=" + folder + ":" + os.Getenv("PATH"), "HOME=" + folder, "TERM=dumb", "LC_ALL=C.UTF-8"}
	return cmd
}

// Without the package bash-completion, whose function the script of the library needs.
func TestCompletion_BashCompletesCommandsFlagsAndValues(t *testing.T) {
	t.Parallel()
	folder := completionFolder(t, "bash")
	for line, want := range map[string]string{
		"tonql ser": "serve", "tonql keys li": "list", "tonql up --netw": "--network", "tonql up --network ": "devnet testnet mainnet",
		"tonql up --listen :1 --log-format j": "json", "tonql help merch": "", "tonql up --config a": "",
	} {
		program := `source script
COMP_LINE="$1"; COMP_POINT=${#COMP_LINE}; read -ra COMP_WORDS <<<"$1"; [[ "$1" == *" " ]] && COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); __tonql_bash_autocomplete; echo "${COMPREPLY[*]}"`
		out, err := inFolder(t, folder, "bash", "--norc", "-c", program, "bash", line).CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.Equal(t, want, strings.TrimSpace(string(out)), line)
	}
}

func TestCompletion_FishCompletesCommandsFlagsAndValues(t *testing.T) {
	t.Parallel()
	folder := completionFolder(t, "fish")
	for line, want := range map[string][]string{
		"tonql ser": {"serve"}, "tonql keys li": {"list"}, "tonql up --netw": {"--network"}, "tonql up --network ": {"devnet", "mainnet", "testnet"},
		"tonql up --config af": {"afile.yaml"}, "tonql classify af": {"afile.yaml"},
	} {
		out, err := inFolder(t, folder, "fish", "--no-config", "-c", "source script; complete -C $argv[1]", line).CombinedOutput()
		require.NoError(t, err, "%s", out)
		var got []string
		for candidate := range strings.Lines(string(out)) {
			text, _, _ := strings.Cut(strings.TrimSpace(candidate), "\t")
			got = append(got, text)
		}
		require.Equal(t, want, got, line)
	}
}

// zsh completes only at a terminal. A key writes the line that is being edited to a file.
func TestCompletion_ZshCompletesCommandsFlagsAndValues(t *testing.T) {
	t.Parallel()
	folder := completionFolder(t, "zsh")
	require.NoError(t, os.WriteFile(filepath.Join(folder, ".zshrc"), []byte(`autoload -U compinit; compinit -D -u
source ~/script
show() { print -r -- "$BUFFER" >>~/shown; BUFFER=; zle redisplay }
zle -N show
bindkey '^X' show
bindkey '^I' complete-word
: >~/ready
`), 0o600))
	cmd := inFolder(t, folder, "zsh", "-i")
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 30, Cols: 100})
	require.NoError(t, err)
	read := make(chan struct{})
	go func() { // ends with the terminal
		defer close(read)
		_, _ = io.Copy(io.Discard, terminal)
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it waits for a line
		_ = cmd.Wait()
		_ = terminal.Close()
		<-read
	})
	eventually(t, time.Minute, "zsh is ready", func() bool { _, err := os.Stat(filepath.Join(folder, "ready")); return err == nil })
	var want strings.Builder
	for _, c := range [][2]string{
		{"tonql ser", "tonql serve "}, {"tonql up --netw", "tonql up --network "}, {"tonql up --network te", "tonql up --network testnet "},
		{"tonql up --config af", "tonql up --config afile.yaml "},
	} {
		_, err := terminal.WriteString(c[0] + "\t\x18")
		require.NoError(t, err)
		want.WriteString(strings.TrimSpace(c[1]) + "\n")
		shown := ""
		eventually(t, time.Minute, "a completed line", func() bool {
			text, _ := os.ReadFile(filepath.Join(folder, "shown"))
			shown = string(text)
			return strings.Count(shown, "\n") >= strings.Count(want.String(), "\n")
		})
		require.Equal(t, want.String(), strings.ReplaceAll(shown, " \n", "\n"))
	}
}
