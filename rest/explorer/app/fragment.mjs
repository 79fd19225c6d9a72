// Writes the fragment that selects the fields which src/texts.json shows of each kind of action.
import { readFileSync, writeFileSync } from 'node:fs';

const { actions: sentences } = JSON.parse(readFileSync('src/texts.json', 'utf8'));
const lists = { claimedRewards: 'claimedRewards { jetton amount }' };

/** The fields that a sentence names, with those of objects below their names. */
function selection(texts) {
  const fields = new Map();
  for (const [, path] of texts.join(' ').matchAll(/[@$#="+/]([a-z][\w.]*)/g)) {
    const [name, member] = path.split('.');
    const members = fields.get(name) ?? new Set();
    if (member) members.add(member);
    fields.set(name, members);
  }
  return [...fields].map(([name, members]) => lists[name] ?? (members.size ? `${name} { ${[...members].join(' ')} }` : name)).join(' ');
}

const lines = Object.entries(sentences).map(([kind, [, , ...texts]]) => `  ... on ${kind}Details { ${selection(texts) || '__typename'} }\n`);
writeFileSync('src/queries/action_details.graphql', `fragment ActionDetails on ActionDetails {\n  __typename\n${lines.join('')}}\n`);
