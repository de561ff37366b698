// SPDX-License-Identifier: Apache-2.0
// A route of the administrative API as plain values: its request, its response and a handler. The server serves it and
// openApi.ts documents it, so the two cannot disagree.
import type { IncomingHttpHeaders } from 'node:http';
import type { TObject, TSchema } from 'typebox';
import { AppError } from '../../../errors.ts';
import type { ChannelLimits, Rights, Scope } from '../../../platform/access/rules/scope.ts';
import type { AuditSource } from '../../../platform/audit/rules/auditEntry.ts';
import type { RequestSource } from '../../proxies.ts';
import type { AuditTrail } from './auditTrail.ts';
import type { RawQuery } from './readQuery.ts';

/** Who makes a request: a key, or a user who signed in to the console. `id` of a user: the one at the provider. */
type Actor = {
  readonly kind: 'key' | 'user';
  readonly id: string;
  readonly name?: string;
  /** First characters of a key. */
  readonly hint?: string;
};

export type Caller = Rights & {
  readonly tenant: string;
  /** Author of changes: `createdBy`, `modifiedBy`. */
  readonly email: string;
  readonly actor: Actor;
  /** What restricts a key. `channels` has the channels that this allows at the time of the request. */
  readonly limits?: ChannelLimits;
  /** When the key or the session ends, ISO 8601. */
  readonly expiresAt?: string;
  /** The session of a user. */
  readonly sessionId?: string;
};

/**
 * How callers restricted to channels may use a route:
 * `param`: this path parameter is a channel, and others are a 404; `query`: likewise this query parameter, which is required;
 * `filtered`: the handler leaves out what belongs to other channels; `open`: nothing in it belongs to a channel.
 */
type ChannelAccess = { readonly param: string } | { readonly query: string } | 'filtered' | 'open';

export type OpenRequest = RequestSource & {
  readonly params: Readonly<Record<string, string>>;
  readonly query: RawQuery;
  /** JSON, not yet validated; undefined without a body. */
  readonly body: unknown;
  /** A body in one of the route's `textTypes`, in place of JSON. */
  readonly document?: string;
};
export type AdminRequest = OpenRequest & {
  readonly caller: Caller;
  readonly audit: AuditTrail;
  /** Where it comes from, for the audit log. */
  readonly source: AuditSource;
  /** Calls it when the change is stored: at once, or with the atomic batch that the request belongs to. */
  afterwards(work: () => void): void;
  /** Counts this many further requests for the rate limit. @returns headers @throws {AppError} TOO_MANY_REQUESTS */
  charge(requests: number): Promise<Readonly<Record<string, string>>>;
  /** Whether the caller could make this request again: for responses that last. True while that is unknown. */
  isAllowed(): Promise<boolean>;
};

export type RouteResponse = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  readonly text?: { readonly contentType: string; readonly content: string };
  readonly bytes?: { readonly contentType: string; readonly content: Uint8Array };
  /** Text that is too large to be held in memory, sent in chunks. */
  readonly pages?: { readonly contentType: string; readonly content: AsyncIterable<string> };
};

export type ResponseDoc = {
  readonly description: string;
  readonly schema?: TSchema;
  /** Content types other than JSON that are sent as text. */
  readonly text?: readonly string[];
  /** The content type of a binary response. */
  readonly bytes?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers that some responses do not have. */
  readonly optionalHeaders?: Readonly<Record<string, string>>;
};

/** Executed by tests and shown in the documentation. Absent: without parameters and body. */
type RouteExample = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

export type RouteFacts = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `:name` for parameters. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  /** The scope that it requires. Default: `read` for GET, `manage` for other methods. */
  readonly scope?: Scope;
  /** Absent: callers restricted to channels get a 403. */
  readonly channelAccess?: ChannelAccess;
  readonly summary: string;
  readonly description?: string;
  readonly query?: TObject;
  readonly body?: {
    readonly schema: TSchema;
    /** The record that a JSON Merge Patch changes. */
    readonly patches?: TSchema;
    readonly isOptional?: true;
    /** Media types that the route reads as text, in addition to JSON, or with `application/json` in place of it. */
    readonly textTypes?: readonly string[];
    /** The most bytes that it may have; 1 MiB when absent. */
    readonly limit?: number;
  };
  /** Request headers that it reads, with descriptions. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly response: ResponseDoc & { readonly status: number };
  /** Statuses of its errors, in addition to those of every route that requires a key. */
  readonly errors?: readonly number[];
  readonly example?: RouteExample;
  /** Accepts the key as `Authorization: Bearer`, too: partners may send nothing else. */
  readonly acceptsBearer?: true;
  /** The response lasts long; HEAD is not supported. */
  readonly isStream?: true;
};

/** Requires an API key, like every route of /api/v2. */
export type KeyedRoute = RouteFacts & {
  /** The route changes nothing although its method is not GET, so it is not in the audit log. */
  readonly isReadOnly?: true;
  /** The handler implements Idempotency-Key itself. */
  readonly ownsIdempotency?: true;
  readonly handle: (request: AdminRequest) => Promise<RouteResponse>;
};
/** A route without the tag of those that it is listed with. */
export type UntaggedRoute = Omit<KeyedRoute, 'tag'> & { readonly tag?: string };
/** Requires no API key. */
export type OpenRoute = RouteFacts & {
  readonly isOpen: true;
  readonly handle: (request: OpenRequest) => Promise<RouteResponse>;
};
export type Route = KeyedRoute | OpenRoute;

const MAX_KEY = 255;

/** @throws {AppError} MALFORMED */
export function readIdempotencyKey({ 'idempotency-key': key }: IncomingHttpHeaders): string | undefined {
  if (key === undefined || (typeof key === 'string' && key.length > 0 && key.length <= MAX_KEY)) return key;
  throw new AppError('MALFORMED', `Header idempotency-key must have 1 to ${MAX_KEY} characters.`);
}

export const ok = (description: string, schema: TSchema, more?: Partial<ResponseDoc>) => ({
  status: 200,
  description,
  schema,
  ...more,
});

/** Routes that have this tag unless they have one of their own. */
export const tagged = (tag: string, routes: readonly UntaggedRoute[]): KeyedRoute[] =>
  routes.map((route) => ({ tag, ...route }));

export const takesIdempotencyKey = (route: Route): boolean =>
  route.method === 'POST' && !('isOpen' in route) && !route.ownsIdempotency;
