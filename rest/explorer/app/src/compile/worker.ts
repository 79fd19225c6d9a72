// Compiles sources with a compiler of this server, in a worker whose policy allows it WebAssembly and no request. The page ends the
// worker when it takes too long.
import { libraryHash, rootHash } from './boc';
import { compilerName, type Job, type Report } from './protocol';

type Module = { exports: unknown };
type Factory = (module: Module, exports: unknown, require: (name: string) => unknown) => void;
type Result = { status: 'ok'; codeBoc?: string; codeBoc64?: string } | { status: 'error'; message: string };
type Func = { compilerVersion(): Promise<{ funcVersion: string }>; compileFunc(of: { targets: string[]; sources: (path: string) => string }): Promise<Result> };
type Tolk = { getTolkCompilerVersion(): Promise<string>; runTolkCompiler(of: { entrypointFileName: string; fsReadCallback: (path: string) => string }): Promise<Result> };

declare function importScripts(url: string): void;
const here = self as unknown as { compilerModule: (name: string, factory: Factory) => void; window?: unknown; postMessage: (report: Report) => void; onmessage: (e: MessageEvent<Job>) => void };

const maxMessage = 20_000; // characters of the text of a compiler

// A loader of CommonJS modules. The script of a compiler defines each of its files by the name of its package and of the file.
const factories = new Map<string, Factory>(), loaded = new Map<string, Module>();
here.compilerModule = (name, factory) => { factories.set(name, factory); };

function load(name: string): unknown {
  const before = loaded.get(name);
  if (before) return before.exports;
  const factory = factories.get(name), module: Module = { exports: {} };
  if (!factory) throw new Error(`no module ${name}`);
  loaded.set(name, module);
  const folder = name.slice(0, name.lastIndexOf('/') + 1);
  factory(module, module.exports, (other) => {
    if (!other.startsWith('./')) return load(`${other}/index.js`);
    const path = folder + other.slice(2);
    return load(path.endsWith('.js') ? path : `${path}.js`);
  });
  return module.exports;
}

const hex = (bytes: Uint8Array): string => Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');
const bytes = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));

async function compile({ compiler, files, targets }: Job): Promise<Report> {
  if (!compilerName.test(compiler)) return { failed: compiler };
  // Compilers print what they also return.
  console.log = console.warn = console.error = () => {};
  const isTolk = compiler.startsWith('tolk-'), sources = new Map(files);
  if (isTolk) here.window = self; // by which the package knows a browser
  importScripts(`/explorer/compilers/${compiler}.js`);
  const read = (path: string): string => {
    const content = sources.get(path);
    if (content === undefined) throw new Error(`there is no file ${path}`); // a part of the compiler's message
    return content;
  };
  let result: Result, version: string;
  if (isTolk) {
    const tolk = load('@ton/tolk-js/index.js') as Tolk;
    version = await tolk.getTolkCompilerVersion();
    here.postMessage({ loaded: true });
    result = await tolk.runTolkCompiler({ entrypointFileName: targets[0] ?? '', fsReadCallback: read });
  } else {
    const func = load('@ton-community/func-js/index.js') as Func;
    version = (await func.compilerVersion()).funcVersion;
    here.postMessage({ loaded: true });
    result = await func.compileFunc({ targets, sources: read });
  }
  if (result.status !== 'ok') return { refused: result.message.slice(0, maxMessage) };
  const hash = rootHash(bytes(result.codeBoc ?? result.codeBoc64 ?? ''));
  return { hash: hex(hash), libraryHash: hex(libraryHash(hash)), version };
}

here.onmessage = (e) => {
  compile(e.data).then(here.postMessage, (error: unknown) => here.postMessage({ failed: String(error).slice(0, maxMessage) }));
};
