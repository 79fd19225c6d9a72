// Sends every request of the collections to a running server, and prints the statuses of the responses as JSON:
//   node run.mjs [SERVER] [MERCHANT_KEY]
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import newman from 'newman';

const [baseUrl = 'http://127.0.0.1:8080', merchantKey = ''] = process.argv.slice(2);
const folder = fileURLToPath(new URL('.', import.meta.url));
const ending = '.postman_collection.json';
const statuses = {};
const failures = [];

for (const file of readdirSync(folder).filter((name) => name.endsWith(ending)).sort()) {
  const name = file.slice(0, -ending.length);
  const envVar = [{ key: 'baseUrl', value: baseUrl }, { key: 'apiKey', value: name === 'merchant' ? merchantKey : '' }];
  const { run } = await new Promise((resolve, reject) => {
    newman.run({ collection: `${folder}${file}`, envVar }, (err, summary) => (err ? reject(err) : resolve(summary)));
  });
  statuses[name] = Object.fromEntries(run.executions.map(({ item, response }) => [item.name, response?.code ?? 0]));
  failures.push(...run.failures.map(({ source, error }) => `${name}, ${source?.name}: ${error.name}: ${error.message}`));
}
console.log(JSON.stringify(statuses, null, 1));
if (failures.length > 0) {
  console.error(failures.join('\n'));
  process.exitCode = 1;
}
