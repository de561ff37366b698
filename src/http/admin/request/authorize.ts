// SPDX-License-Identifier: Apache-2.0
// Whether a caller may use a route: the scope that it requires, and the channels that the caller is restricted to. A route that
// declares nothing requires most.
import { AppError, fieldError, validationError } from '../../../errors.ts';
import { includesScope, mayAccess, type Scope } from '../../../platform/access/rules/scope.ts';
import type { RawQuery } from './readQuery.ts';
import type { Caller, OpenRequest, RouteFacts } from './route.ts';

type Declared = Pick<RouteFacts, 'method' | 'scope' | 'channelAccess'>;
export type Given = Pick<OpenRequest, 'params' | 'query'>;

export const scopeOf = ({ scope, method }: Pick<Declared, 'scope' | 'method'>): Scope =>
  scope ?? (method === 'GET' ? 'read' : 'manage');

const subjectOf = ({ actor }: Caller): string => (actor.kind === 'key' ? 'This key' : 'Your role');

/** `data` lets clients distinguish it from an invalid key. */
const forbidden = (message: string, keyword: string, params: Record<string, unknown>): AppError =>
  new AppError('FORBIDDEN', message, { data: [fieldError(keyword, '', message, params)] });

/** @param what requires the scope @throws {AppError} FORBIDDEN with both scopes */
export function requireScope(caller: Caller, required: Scope, what = 'This request'): void {
  if (includesScope(caller.scope, required)) return;
  const message = `${what} requires the scope "${required}". ${subjectOf(caller)} has the scope "${caller.scope}".`;
  throw forbidden(message, 'scope', { required, actual: caller.scope });
}

/** @throws {AppError} FORBIDDEN, if the caller is restricted to channels */
export function requireTenant(caller: Caller, what = 'This request'): void {
  const { channels } = caller;
  if (channels === undefined) return;
  const message = `${what} concerns the whole tenant. ${subjectOf(caller)} is restricted to the channels ${list(channels)}.`;
  throw forbidden(message, 'channels', { actual: channels });
}

const MAX_LISTED = 10;
const list = (channels: readonly string[]): string =>
  channels
    .slice(0, MAX_LISTED)
    .map((id) => JSON.stringify(id))
    .join(', ') + (channels.length > MAX_LISTED ? ', …' : '');

/** @throws {AppError} NOT_FOUND, in the same way as for a channel that does not exist */
function requireChannel(caller: Caller, id: string): void {
  if (!mayAccess(caller, id)) throw new AppError('NOT_FOUND', `Channel "${id.slice(0, 200)}" not found.`);
}

/** @throws {AppError} FORBIDDEN, NOT_FOUND, VALIDATION_ERROR */
export function authorize(route: Declared, caller: Caller, { params, query }: Given): void {
  requireScope(caller, scopeOf(route));
  const { channels } = caller;
  const { channelAccess: access } = route;
  if (channels === undefined || access === 'filtered' || access === 'open') return;
  if (access === undefined) requireTenant(caller);
  else if ('param' in access) requireChannel(caller, params[access.param] ?? '');
  else requireInQuery(caller, channels, access.query, query);
}

function requireInQuery(caller: Caller, channels: readonly string[], name: string, query: RawQuery): void {
  const id = Object.hasOwn(query, name) ? query[name] : undefined;
  if (typeof id === 'string') {
    requireChannel(caller, id);
    return;
  }
  const message = `must be one of ${list(channels)}, the channels of this key; got ${id === undefined ? 'none' : 'several'}`;
  throw validationError('Invalid query', [fieldError('required', `/${name}`, message)]);
}
