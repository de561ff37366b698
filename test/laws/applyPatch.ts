// SPDX-License-Identifier: Apache-2.0
// Applies an MPD patch document (ISO/IEC 23009-1 5.15) to the text of an MPD, to the byte: the operations of RFC 5261 that Midroll
// writes, and errors for anything else.

type Element = {
  readonly name: string;
  readonly attributes: Map<string, string>;
  readonly children: Node[];
  readonly isEmpty: boolean;
};
type Node = Element | string;

const isElement = (node: Node | undefined): node is Element => typeof node === 'object';

/** The children of a root that holds the whole text. Attributes are kept as written. */
function parse(text: string): Element {
  const root: Element = { name: '', attributes: new Map(), children: [], isEmpty: false };
  const open = [root];
  for (const [token] of text.matchAll(/<[^>]*>|[^<]+/g)) {
    if (!token.startsWith('<') || token.startsWith('<?')) open.at(-1)!.children.push(token);
    else if (token.startsWith('</')) open.pop();
    else {
      const [, name, rest] = /^<([\w:]+)((?:.|\n)*?)\/?>$/.exec(token)!;
      const attributes = new Map([...rest!.matchAll(/ ([\w:]+)="([^"]*)"/g)].map(([, key, value]) => [key!, value!]));
      const isEmpty = token.endsWith('/>');
      const element = { name: name!, attributes, children: [], isEmpty };
      open.at(-1)!.children.push(element);
      if (!isEmpty) open.push(element);
    }
  }
  return root;
}

function write(node: Node): string {
  if (!isElement(node)) return node;
  const inner = node.children.map(write).join('');
  if (node.name === '') return inner;
  const attributes = [...node.attributes].map(([key, value]) => ` ${key}="${value}"`).join('');
  return `<${node.name}${attributes}${node.isEmpty ? '/>' : `>${inner}</${node.name}>`}`;
}

/** The element that a selector finds, and its parent. It must be the only one (RFC 5261 §4.1). */
function find(root: Element, steps: readonly string[]): [found: Element, parent: Element] {
  let [parent, found] = [root, root];
  for (const step of steps) {
    const [, name, id, position] = /^(\w+)(?:\[@id='([^']*)'\]|\[(\d+)\])?$/.exec(step)!;
    const named = found.children.filter(isElement).filter((child) => child.name === name);
    const matching = named.filter(
      (child, index) =>
        (id === undefined || child.attributes.get('id') === id) &&
        (position === undefined || index + 1 === Number(position)),
    );
    if (matching.length !== 1) throw new Error(`${step} finds ${matching.length} elements in ${found.name}`);
    [parent, found] = [found, matching[0]!];
  }
  return [found, parent];
}

function remove({ children }: Element, found: Element, ws: string | undefined): void {
  const at = children.indexOf(found);
  if (ws === undefined) children.splice(at, 1);
  else if (ws === 'before' && /^\s+$/.test(String(children[at - 1]))) children.splice(at - 1, 2);
  else throw new Error(`no white space ${ws} ${found.name}`);
  // Text that has become adjacent is one node.
  const [before, after] = [children[at - 2], children[at - 1]];
  if (typeof before === 'string' && typeof after === 'string') children.splice(at - 2, 2, before + after);
}

function apply(root: Element, { name, attributes, children }: Element): void {
  const steps = attributes.get('sel')!.slice(1).split('/');
  const attribute = steps.at(-1)!.startsWith('@') ? steps.pop()!.slice(1) : undefined;
  const [found, parent] = find(root, steps);
  if (attribute !== undefined) {
    if (name !== 'replace' || !found.attributes.has(attribute)) throw new Error(`cannot ${name} @${attribute}`);
    found.attributes.set(attribute, children.map(write).join(''));
  } else if (name === 'remove') remove(parent, found, attributes.get('ws'));
  else if (name === 'replace') {
    if (children.length !== 1 || !isElement(children[0])) throw new Error('an element is replaced by one element');
    parent.children.splice(parent.children.indexOf(found), 1, children[0]);
  } else if (name === 'add' && attributes.get('pos') === 'after')
    parent.children.splice(parent.children.indexOf(found) + 1, 0, ...children);
  else if (name === 'add' && !attributes.has('pos')) found.children.push(...children);
  else throw new Error(`unknown operation ${name}`);
}

/** @throws {Error} if the patch is not for this MPD (5.15.3) */
export function applyPatch(mpd: string, patch: string): string {
  const root = parse(mpd);
  const [document] = parse(patch).children.filter(isElement);
  const { attributes } = find(root, ['MPD'])[0];
  const isFor =
    document!.attributes.get('mpdId') === attributes.get('id') &&
    document!.attributes.get('originalPublishTime') === attributes.get('publishTime');
  if (!isFor) throw new Error('the patch is for another MPD');
  for (const operation of document!.children.filter(isElement)) apply(root, operation);
  if (attributes.get('publishTime') !== document!.attributes.get('publishTime')) throw new Error('not published');
  return write(root);
}
