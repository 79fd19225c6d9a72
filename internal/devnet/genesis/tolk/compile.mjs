// Compiles the fundamental contracts beside this script into <name>.b64.
// With --check nothing is written; the exit code says whether the committed code is what the compiler makes.
// The compiler is the one installed for the other contracts: npm install in internal/devnet/contracts/tolk.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = dirname(fileURLToPath(import.meta.url))
const require = createRequire(join(folder, '..', '..', 'contracts', 'tolk', 'package.json'))
const { runTolkCompiler } = require('@ton/tolk-js')

let stale = 0
for (const name of ['config', 'elector']) {
  const result = await runTolkCompiler({
    entrypointFileName: `${name}.tolk`,
    fsReadCallback: (path) => readFileSync(join(folder, path), 'utf-8'),
  })
  if (result.status === 'error') {
    console.error(`${name}: ${result.message}`)
    process.exit(1)
  }
  const target = join(folder, `${name}.b64`)
  if (!process.argv.includes('--check')) {
    writeFileSync(target, result.codeBoc64 + '\n')
  } else if (readFileSync(target, 'utf-8').trim() !== result.codeBoc64) {
    console.error(`${name}.b64 differs from what ${name}.tolk compiles to`)
    stale = 1
  }
}
process.exit(stale)
