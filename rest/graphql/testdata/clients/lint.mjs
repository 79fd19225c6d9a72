// The schema's files against the published presets of graphql-eslint. Prints [{rule, file, line, message}].
import { ESLint } from 'eslint';
import plugin from '@graphql-eslint/eslint-plugin';

const folder = process.argv[2];
const files = folder + '/*.graphqls';
const recommended = plugin.configs['flat/schema-recommended'];
const relay = plugin.configs['flat/schema-relay'];
const rules = {
  ...recommended.rules,
  ...relay.rules,
  // Off or narrowed, with the reason:
  '@graphql-eslint/description-style': ['error', { style: 'inline' }],
  '@graphql-eslint/relay-edge-types': ['error', {
    listTypeCanWrapOnlyEdgeType: false, // short lists that need no pages, and `nodes` of connections
    shouldImplementNode: false, // transfers and the like are facts of a transaction and have no id of their own
  }],
  '@graphql-eslint/strict-id-in-types': 'off', // only what `node` can fetch again has an id
};
const eslint = new ESLint({
  cwd: folder,
  overrideConfigFile: true,
  overrideConfig: [{
    files: ['**/*.graphqls'],
    languageOptions: { parser: plugin.parser, parserOptions: { graphQLConfig: { schema: files } } },
    plugins: { '@graphql-eslint': plugin },
    rules,
  }],
});
const results = await eslint.lintFiles(files);
console.log(JSON.stringify(results.flatMap((r) => r.messages.map((m) => ({ rule: m.ruleId, file: r.filePath.split('/').pop(), line: m.line, message: m.message })))));
