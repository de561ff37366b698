// SPDX-License-Identifier: Apache-2.0
// Which route a change of a batch requests.
import { parse } from 'node:querystring';
import { AppError } from '../../../errors.ts';
import type { BatchChange } from '../../contract/batchContract.ts';
import type { RawQuery } from '../request/readQuery.ts';
import type { KeyedRoute, Route } from '../request/route.ts';

const records = ['Channel', 'Playlist', 'AdSource', 'AlertRule', 'Webhook'];
const operations: ReadonlySet<string> = new Set([
  ...records.flatMap((record) => ['create', 'update', 'patch', 'delete'].map((verb) => `${verb}${record}`)),
  'restoreDeleted',
]);
/** What they change is not only in the database, so it cannot be part of a transaction. */
const assetOperations: ReadonlySet<string> = new Set(['deleteAsset', 'retryAsset']);

type BatchRoute = {
  readonly route: KeyedRoute;
  readonly isAtomic: boolean;
  readonly segments: readonly string[];
};

export const batchRoutes = (routes: readonly Route[]): BatchRoute[] =>
  routes.flatMap((route) => {
    const isAtomic = operations.has(route.operationId);
    if ('isOpen' in route || !(isAtomic || assetOperations.has(route.operationId))) return [];
    return [{ route, isAtomic, segments: route.path.split('/') }];
  });

/** @throws {AppError} MALFORMED */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new AppError('MALFORMED', `The path has an invalid escape sequence: ${segment.slice(0, 100)}.`);
  }
}

const isParameter = (segment: string) => segment.startsWith(':');

type MatchedChange = BatchRoute & {
  readonly params: Readonly<Record<string, string>>;
  readonly query: RawQuery;
};

/** @throws {AppError} NOT_FOUND, MALFORMED */
export function matchChange(known: readonly BatchRoute[], { method, path }: BatchChange): MatchedChange {
  const [pathname = '', ...query] = path.split('?');
  const given = pathname.split('/');
  const found = known.find(
    ({ route, segments }) =>
      route.method === method &&
      segments.length === given.length &&
      segments.every((segment, index) => (isParameter(segment) ? given[index] !== '' : segment === given[index])),
  );
  if (found === undefined)
    throw new AppError(
      'NOT_FOUND',
      `No change of a batch: ${method} ${pathname.slice(0, 200)}. See /docs for those it can have.`,
    );
  const params = found.segments.flatMap((segment, index) =>
    isParameter(segment) ? [[segment.slice(1), decoded(given[index] ?? '')]] : [],
  );
  return { ...found, params: Object.fromEntries(params), query: parse(query.join('?')) };
}
