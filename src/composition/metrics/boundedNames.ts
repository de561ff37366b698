// SPDX-License-Identifier: Apache-2.0
// Keeps a label from having any number of values: ad servers and creatives can come from any number of hosts.

export const OTHER = 'other';

/** @returns a function that maps the first `max` different names to themselves, and all others to `other` */
export function boundedNames(max: number): (name: string) => string {
  const known = new Set<string>();
  return (name) => {
    if (known.has(name)) return name;
    if (known.size >= max) return OTHER;
    known.add(name);
    return name;
  };
}
