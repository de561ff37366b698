// SPDX-License-Identifier: Apache-2.0
// The elements that are open at a position in a text, and where their end tags are.
import { defined } from '../invariant.ts';
import type { Tag } from './scanTags.ts';

/** A name without its prefix, in lower case. */
export const localOf = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase();

/** For each tag, the kind of the next tag of the same name. */
export function nextKinds(tags: readonly Tag[]): readonly (Tag['kind'] | undefined)[] {
  const next = new Map<string, Tag['kind']>();
  const kinds = tags.toReversed().map(({ name, kind }) => {
    const local = localOf(name);
    const following = next.get(local);
    next.set(local, kind);
    return following;
  });
  return kinds.reverse();
}

export type Open = {
  readonly tag: Tag;
  hasChildren: boolean;
  /** No end tag of its name follows before the next start tag of that name. */
  readonly isUnclosed: boolean;
};

/** Looking up an element takes constant time, however many are open. */
export class OpenTags {
  readonly #all: Open[] = [];
  /** Indexes of the open elements of a name, innermost last. */
  readonly #indexes = new Map<string, number[]>();

  /** Outermost first. */
  get all(): readonly Open[] {
    return this.#all;
  }

  get length(): number {
    return this.#all.length;
  }

  get innermost(): Open | undefined {
    return this.#all.at(-1);
  }

  push(one: Open): void {
    const local = localOf(one.tag.name);
    const indexes = this.#indexes.get(local) ?? [];
    this.#indexes.set(local, indexes);
    indexes.push(this.#all.length);
    this.#all.push(one);
  }

  pop(): Tag {
    const { tag } = defined(this.#all.pop(), 'only an element that is open is closed');
    this.#indexes.get(localOf(tag.name))?.pop();
    return tag;
  }

  /** The index of the innermost open element of a name; -1 when none is open. */
  indexOf(local: string): number {
    return this.#indexes.get(local)?.at(-1) ?? -1;
  }
}
