// Fails when a component has text of its own: every text of the page is in src/texts.json.
import { readFileSync, readdirSync } from 'node:fs';
import ts from 'typescript';

const silent = new Set(['class', 'd', 'viewBox', 'transform', 'preserveAspectRatio', 'key', 'href', 'to', 'id', 'name', 'style', 'import']);
const names = new Set(['Content-Type', 'Retry-After', 'Escape', 'Enter', 'input, textarea']); // of HTTP, keys and selectors
const found = [];

for (const e of readdirSync('src', { recursive: true, withFileTypes: true })) {
  if (!e.isFile() || !/\.tsx?$/.test(e.name)) continue;
  const path = `${e.parentPath}/${e.name}`;
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2022, true, ts.ScriptKind.TSX);
  const complain = (node, text) => found.push(`${path}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${text.trim()}`);
  const walk = (node) => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'svg') return; // markup, not text
    if (ts.isNewExpression(node) && node.expression.getText() === 'Error') return; // errors of this page's own code
    if (ts.isJsxAttribute(node) && silent.has(node.name.getText())) return;
    if (ts.isJsxText(node) && /[A-Za-z]{2}/.test(node.text.replace(/&\w+;/g, ''))) complain(node, node.text);
    if (ts.isJsxAttribute(node) && node.initializer && ts.isStringLiteral(node.initializer) && /^(title|placeholder|alt|label|what|aria-label)$/.test(node.name.getText())) complain(node, node.getText());
    if ((ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) && /^[A-Z][a-z]+\b|[a-z,:]{2,} [a-z]{2,}/.test(node.text) && !names.has(node.text)) complain(node, node.text);
    ts.forEachChild(node, walk);
  };
  walk(source);
}
if (found.length > 0) {
  console.error(`texts outside src/texts.json:\n${found.join('\n')}`);
  process.exit(1);
}
