// The elements that are open at a place of a text, and what its tags say about where they end.
import type { Tag } from './scanTags.ts';

/** A name without its prefix, in lower case. */
export const localOf = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase();

/** For each tag the kind of the next one of its name. */
export function nextKinds(tags: readonly Tag[]): readonly (Tag['kind'] | undefined)[] {
  const next = new Map<string, Tag['kind']>();
  const kinds = new Array<Tag['kind'] | undefined>(tags.length);
  for (let index = tags.length - 1; index >= 0; index -= 1) {
    const local = localOf(tags[index]!.name);
    kinds[index] = next.get(local);
    next.set(local, tags[index]!.kind);
  }
  return kinds;
}

export type Open = {
  readonly tag: Tag;
  hasChildren: boolean;
  /** No end tag of its name follows before the next start tag of that name. */
  readonly isEndless: boolean;
};

/** Finding one of them takes as long however many are open. */
export class OpenTags {
  readonly #all: Open[] = [];
  /** Where elements of a name stand, innermost last. */
  readonly #places = new Map<string, number[]>();

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
    const places = this.#places.get(local) ?? [];
    this.#places.set(local, places);
    places.push(this.#all.length);
    this.#all.push(one);
  }

  pop(): Tag {
    const { tag } = this.#all.pop()!;
    this.#places.get(localOf(tag.name))!.pop();
    return tag;
  }

  /** The place of the innermost element of a name; -1 when none is open. */
  placeOf(local: string): number {
    return this.#places.get(local)?.at(-1) ?? -1;
  }
}
