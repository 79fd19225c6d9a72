// The audits of GraphQL over HTTP, as the package that its authors publish has them. Prints {total, failed: [{id, name, reason}]}.
import { auditServer } from 'graphql-http';

const results = await auditServer({ url: process.argv[2] + '/graphql', fetchFn: fetch });
const failed = results.filter((r) => r.status !== 'ok').map(({ id, name, status, reason }) => ({ id, name, status, reason }));
console.log(JSON.stringify({ total: results.length, failed }));
