// Fills the texts of texts.json, which holds every text of the page. A text names its values in braces: {n} blocks.
import type { ComponentChildren } from 'preact';
import texts from './texts.json';

export const T = texts.page;

/** Replaces each {name} of a text by a string. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
}

/** Replaces each {name} of a text by an element. */
export function render(text: string, values: Record<string, ComponentChildren>): ComponentChildren[] {
  return text.split(/\{(\w+)\}/).map((part, i) => (i % 2 === 1 ? values[part] : part));
}

/** Chooses the form of a text for a number, the singular first, and fills {n} with shown. */
export function plural(n: number, forms: string[], shown: string | number = n): string {
  return fill((n === 1 ? forms[0] : forms[1]) ?? '', { n: shown });
}

/** Returns the entry of a table of texts; undefined for a name that it lacks. */
export function entry<V>(table: Record<string, V>, name: string | number): V | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
