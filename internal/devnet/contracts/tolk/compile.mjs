// Compiles every contract beside this script and writes manifest.json one folder up: name, code hash, code BoC.
// With --check nothing is written; the exit code says whether the committed manifest is what the compiler makes.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getTolkCompilerVersion, runTolkCompiler } from '@ton/tolk-js'

const folder = dirname(fileURLToPath(import.meta.url))
const manifestPath = join(folder, '..', 'manifest.json')

// Entry points only: files that are imported by these are not contracts of their own.
const contracts = [
  'dns-collection',
  'dns-item',
  'dns-root',
  'emitter',
  'hostile',
  'jetton-minter',
  'jetton-stuck-wallet',
  'jetton-wallet',
  'liar-jetton-wallet',
  'liar-nft-item',
  'librarian',
  'mintless-minter',
  'mintless-wallet',
  'multisig',
  'multisig-order',
  'nft-auction',
  'nft-collection',
  'nft-item',
  'nft-market',
  'nft-sale',
  'nominator-pool',
  'sbt-item',
  'subscription',
  'telemint-collection',
  'telemint-item',
  'thrower',
  'vesting-wallet',
]

const compiled = []
for (const name of contracts) {
  const result = await runTolkCompiler({
    entrypointFileName: `${name}.tolk`,
    fsReadCallback: (path) => readFileSync(join(folder, path), 'utf-8'),
  })
  if (result.status === 'error') {
    console.error(`${name}: ${result.message}`)
    process.exit(1)
  }
  if (result.stderr) {
    console.error(`${name}: ${result.stderr}`)
  }
  compiled.push({ name, hash: result.codeHashHex.toLowerCase(), code: result.codeBoc64 })
}

const manifest = JSON.stringify({ compiler: await getTolkCompilerVersion(), contracts: compiled }, null, 2) + '\n'
if (!process.argv.includes('--check')) {
  writeFileSync(manifestPath, manifest)
  console.log(`${compiled.length} contracts written`)
} else if (readFileSync(manifestPath, 'utf-8') !== manifest) {
  console.error('manifest.json differs from what the sources compile to; run: npm run compile')
  process.exit(1)
} else {
  console.log(`${compiled.length} contracts are up to date`)
}
