// The schema as a client learns it: introspection, read and validated by the reference implementation.
// Prints {problems, types, sdl}.
import { buildClientSchema, getIntrospectionQuery, printSchema, validateSchema, validate, parse } from 'graphql';

const query = getIntrospectionQuery({ descriptions: true, specifiedByUrl: true, directiveIsRepeatable: true, oneOf: true, inputValueDeprecation: true });
const answer = await fetch(process.argv[2] + '/graphql', {
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json' },
  body: JSON.stringify({ query }),
}).then((r) => r.json());
if (answer.errors) throw new Error(JSON.stringify(answer.errors));
const schema = buildClientSchema(answer.data);
const problems = validateSchema(schema).map((e) => e.message);
for (const text of JSON.parse(process.argv[3] ?? '[]')) problems.push(...validate(schema, parse(text)).map((e) => text + ': ' + e.message));
console.log(JSON.stringify({ problems, types: Object.keys(schema.getTypeMap()).length, sdl: printSchema(schema) }));
