// Writes src/generated.ts from the schema of the server and the operations in src/operations:
//   node generate.mjs [OUTPUT]
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { codegen } from '@graphql-codegen/core';
import * as typescript from '@graphql-codegen/typescript';
import * as operations from '@graphql-codegen/typescript-operations';
import * as documents from '@graphql-codegen/typed-document-node';
import { parse } from 'graphql';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const read = (folder, ending) => readdirSync(at(folder)).filter((name) => name.endsWith(ending)).sort()
  .map((name) => ({ location: name, document: parse(readFileSync(at(`${folder}/${name}`), 'utf8')) }));

const schema = { kind: 'Document', definitions: read('../../graph', '.graphqls').flatMap(({ document }) => document.definitions) };
const output = process.argv[2] ?? at('src/generated.ts');
const text = await codegen({
  filename: output,
  schema,
  documents: read('src/operations', '.graphql'),
  plugins: [{ typescript: {} }, { operations: {} }, { documents: {} }],
  pluginMap: { typescript, operations, documents },
  config: {
    // Numbers that exceed 53 bits are strings, as the server prints them.
    scalars: { Address: 'string', BigInt: 'string', Boc: 'string', DateTime: 'string', Hash: 'string', JSON: 'unknown', Opcode: 'string', Shard: 'string', UInt32: 'number' },
    strictScalars: true,
    enumsAsTypes: true,
    useTypeImports: true,
    defaultScalarType: 'unknown',
    skipTypename: true,
    avoidOptionals: { field: true, inputValue: false, object: false, defaultValue: false, resolvers: false, query: false, mutation: false, subscription: false },
    immutableTypes: true,
  },
});
writeFileSync(output, `// Written by generate.mjs from graph/*.graphqls and src/operations/*.graphql.\n${text}\n`);
