// SPDX-License-Identifier: Apache-2.0
// Attribute lists of marker tags. Packagers write them with commas, spaces or semicolons in between, with and without
// quotes, and forget any of these, so they are read more leniently than those of the tags of RFC 8216 (§4.2).

/** A name after a separator, and a value: in quotes, or up to the next separator or quote. */
const ATTRIBUTE = /(?<=^|[\s,;"'])([A-Za-z][\w-]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|["']?([^\s,;"']*))/g;

/** Names in capitals: packagers also write `Duration` and `ElapsedTime`. The last value of a repeated name is used. */
export const upperAttributes = (value: string): ReadonlyMap<string, string> =>
  new Map(
    Array.from(value.matchAll(ATTRIBUTE), ([, name = '', double, single, bare]) => [
      name.toUpperCase(),
      (double ?? single ?? bare ?? '').trim(),
    ]),
  );
