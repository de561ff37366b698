// SPDX-License-Identifier: Apache-2.0
// TanStack Query without its mutations and endless lists: the console only reads with it. Its client names them, so that no bundler
// can leave them out.
import type { Plugin } from 'vite';

const replaced: Readonly<Record<string, string>> = {
  mutationCache: 'export class MutationCache { async resumePausedMutations() {} }',
  infiniteQueryBehavior: 'export const [infiniteQueryBehavior, hasNextPage, hasPreviousPage] = [];',
};

export const withoutMutations = (): Plugin => ({
  name: 'without-mutations',
  enforce: 'pre',
  load(id) {
    const [, name = ''] = /query-core\/build\/modern\/(\w+)\.js$/.exec(id) ?? [];
    return Object.hasOwn(replaced, name) ? replaced[name] : undefined;
  },
});
