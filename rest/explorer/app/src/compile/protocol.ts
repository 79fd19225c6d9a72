// The messages between the page and the worker that compiles.

export type Language = 'func' | 'tolk';

/** What to compile. Targets are the arguments of the FunC compiler in their order, or the one file that Tolk starts from. */
export type Job = { compiler: string; files: [name: string, content: string][]; targets: string[] };

/** What the worker reports: that the compiler is loaded, then the result. Hashes are hexadecimal. */
export type Report = { loaded: true } | { hash: string; libraryHash: string; version: string } | { refused: string } | { failed: string };

export const compilerName = /^(func|tolk)-[0-9A-Za-z.-]{1,80}$/;
