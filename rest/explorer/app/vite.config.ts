import { defineConfig } from 'vite';

// Served below /explorer/ from the binary; no inline script, so that the page's policy can forbid it.
export default defineConfig({
  base: '/explorer/',
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rollupOptions: {
      // The worker is a script of its own: the compilers that it loads are no modules.
      input: { index: 'index.html', compile: 'src/compile/worker.ts' },
      output: { entryFileNames: (chunk) => (chunk.name === 'compile' ? 'compile.js' : 'app.js'), chunkFileNames: '[name].js', assetFileNames: '[name][extname]' },
    },
  },
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  server: { proxy: { '/graphql': 'http://127.0.0.1:8080' } },
});
