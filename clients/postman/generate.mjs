// Writes a Postman collection of each REST API from the OpenAPI documents of a running server, and one of the GraphQL
// examples of the playground:
//   node generate.mjs [SERVER] [FOLDER]
// What the files contain depends on the documents and on the files beside this one alone.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import converter from 'openapi-to-postmanv2';

const at = (name) => fileURLToPath(new URL(name, import.meta.url));
const read = (name) => readFileSync(at(name), 'utf8');
const server = process.argv[2] ?? 'http://127.0.0.1:8080';
const folder = process.argv[3] ?? at('.');
const examples = JSON.parse(read('../../rest/docs/examples.json'));

for (const [name, prefix, variables, before] of [
  ['v2', '/api/v2', examples.variables, [chooseExamples()]],
  ['v3', '/api/v3', examples.variables, [chooseExamples()]],
  ['merchant', '/api/merchant/v1', { account: examples.variables.account, reference: '' }, []],
]) {
  const response = await fetch(`${server}${prefix}/openapi.json`);
  if (!response.ok) throw new Error(`${response.url}: status ${response.status}`);
  const collection = await convert(await response.json(), prefix, variables, before);
  write(name, collection);
}
write('graphql', graphqlCollection(JSON.parse(read('../../rest/graphql/assets/examples.json'))));

function write(name, collection) {
  writeFileSync(join(folder, `${name}.postman_collection.json`), `${JSON.stringify(identify(collection), null, 1)}\n`);
}

// convert returns the collection of an OpenAPI document, with the requests that come before its own.
async function convert(document, prefix, variables, before) {
  delete document.webhooks; // requests of the server, not to it
  for (const [path, item] of Object.entries(document.paths)) {
    for (const operation of Object.values(item)) setExamples(document, path, operation);
  }
  const options = {
    folderStrategy: 'Tags',
    requestNameSource: 'URL',
    parametersResolution: 'Example',
    enableOptionalParameters: false,
    alwaysInheritAuthentication: true,
  };
  const { result, reason, output } = await new Promise((resolve, reject) => {
    converter.convertV2({ type: 'json', data: document }, options, (err, value) => (err ? reject(err) : resolve(value)));
  });
  if (!result) throw new Error(`${prefix}: ${reason}`);
  const { info, item } = output[0].data;
  for (const group of item) group.item = group.item.map((entry) => request(document, prefix, entry));
  return collectionOf(info.name, info.description.content, variables, [...before, ...item]);
}

// graphqlCollection returns a collection of the queries among examples; subscriptions have no request to send.
function graphqlCollection(list) {
  const queries = list.filter(({ query }) => /^query /m.test(query));
  const item = queries.map(({ name, about, query }) => graphqlRequest(name, about, query, read('graphql.js')));
  return collectionOf('tonql /graphql', 'Queries of the GraphQL API. The playground of the server has the same examples, and subscriptions.', {}, item);
}

function collectionOf(name, description, variables, item) {
  return {
    info: { name, description, schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    auth: { type: 'apikey', apikey: pairs({ key: 'X-API-Key', value: '{{apiKey}}', in: 'header' }) },
    variable: pairs({ baseUrl: 'http://127.0.0.1:8080', apiKey: '', ...variables }),
    item,
  };
}

function pairs(values) {
  return Object.entries(values).map(([key, value]) => ({ key, value, type: 'string' }));
}

// setExamples gives every parameter and the request body of an operation its value. Parameters that are neither required
// nor in examples.requests are disabled in the collection.
function setExamples(document, path, operation) {
  const chosen = examples.requests[path] ?? {};
  const value = (name, schema) => chosen[name] ?? schema.default ?? schema.enum?.[0] ?? examples.values[name];
  operation.parameters = (operation.parameters ?? []).map((parameter) => {
    const p = structuredClone(resolve(document, parameter));
    const example = value(p.name, p.schema) ?? '';
    p.schema = { type: 'string' };
    p.example = String(Array.isArray(example) ? example[0] : example);
    p.required ||= p.name in chosen;
    return p;
  });
  const content = operation.requestBody?.content['application/json'];
  if (!content) return;
  const schema = resolve(document, content.schema);
  const { properties, required = [] } = schema.oneOf ? resolve(document, schema.oneOf[0]) : schema;
  content.example = {};
  for (const name of Object.keys(properties)) {
    if (!required.includes(name) && !(name in chosen)) continue;
    const example = value(name, properties[name]);
    if (example === undefined) throw new Error(`rest/docs/examples.json has no value for ${name} of ${path}`);
    content.example[name] = example;
  }
}

// resolve returns the object that a value of the document is or refers to.
function resolve(document, value) {
  return value.$ref ? value.$ref.slice(2).split('/').reduce((part, name) => part[name], document) : value;
}

// request returns a request of the collection: the one that the library made, without the responses that it made up.
function request(document, prefix, { request: { method, url, header, body } }) {
  const path = `/${url.path.join('/')}`;
  const operation = document.paths[path][method.toLowerCase()];
  const plain = (list) => list.map(({ key, value, description, disabled }) => {
    const text = description?.content.replace('(Required) ', ''); // of all that are enabled
    return { key, value, ...(text && { description: text }), ...(disabled && { disabled }) };
  });
  const query = plain(url.query);
  const sent = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`).join('&');
  return {
    name: `${method} ${path.slice(prefix.length)}`,
    event: [script(readScript(document, operation, path))],
    request: {
      method,
      description: operation.summary,
      header: plain(header),
      url: { raw: `{{baseUrl}}${path}${sent && `?${sent}`}`, host: url.host, path: url.path, query },
      ...(body?.mode && { body: { mode: 'raw', raw: body.raw, options: { raw: { language: 'json' } } } }),
    },
    response: [],
  };
}

// readScript returns the test of a request: the response has a documented status, and the members of its schema.
function readScript(document, operation, path) {
  const required = (status) => {
    const schema = resolve(document, operation.responses[status].content['application/json'].schema);
    const { type, required: names = [] } = schema.oneOf ? resolve(document, schema.oneOf[0]) : schema;
    return `{ type: '${type}', members: ${JSON.stringify(names)} }`;
  };
  const lines = read('test.js').replace('SUCCESS', required('200')).replace('FAILURE', required('default'));
  return path.endsWith('/create-transfer') ? lines + read('reference.js') : lines;
}

function script(text) {
  return { listen: 'test', script: { type: 'text/javascript', exec: text.trimEnd().split('\n') } };
}

// chooseExamples returns the request that sets the variables of the others. It has to be sent first.
function chooseExamples() {
  const description = 'Send this first: it sets the variables of the collection to objects of the index, which the other requests use.';
  return graphqlRequest('Choose examples from the index', description, read('examples.graphql'), read('examples.js'));
}

function graphqlRequest(name, description, query, test) {
  return {
    name,
    event: [script(test)],
    request: {
      method: 'POST',
      description,
      header: [{ key: 'Content-Type', value: 'application/json' }],
      url: { raw: '{{baseUrl}}/graphql', host: ['{{baseUrl}}'], path: ['graphql'] },
      body: { mode: 'graphql', graphql: { query, variables: '' } },
    },
    response: [],
  };
}

// identify gives the collection and its entries the ids that importers expect: UUIDs, from their names instead of chance.
function identify(collection) {
  const id = (name) => {
    const hex = createHash('sha256').update(name).digest('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  };
  const entries = (list, parent) => list.map(({ name, item, ...rest }) => {
    const path = `${parent}\n${name}`;
    return { id: id(path), name, ...(item && { item: entries(item, path) }), ...rest };
  });
  const { info, item, ...rest } = collection;
  return { info: { _postman_id: id(info.name), ...info }, ...rest, item: entries(item, info.name) };
}
