// A route of the administrative interface as plain values: what it takes, what it answers, and a function from the one
// to the other. The server serves it, openapi.ts documents it; neither can disagree with the other.
import type { TObject, TSchema } from 'typebox';
import type { Reached } from '../../proxies.ts';
import type { RawQuery } from './readQuery.ts';

export type Caller = { readonly tenant: string; readonly email: string };

export type OpenRequest = Reached & {
  readonly params: Readonly<Record<string, string>>;
  readonly query: RawQuery;
  /** JSON, not yet validated; undefined when no body came. */
  readonly body: unknown;
};
export type AdminRequest = OpenRequest & { readonly caller: Caller };

export type Answer = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Answered as JSON. */
  readonly json?: unknown;
  readonly text?: { readonly contentType: string; readonly content: string };
  readonly bytes?: { readonly contentType: string; readonly content: Uint8Array };
  /** Text that is too long to be held at once, piece by piece. */
  readonly pages?: { readonly contentType: string; readonly content: AsyncIterable<string> };
};

export type AnswerDoc = {
  readonly description: string;
  readonly schema?: TSchema;
  /** Content types besides JSON, answered as text. */
  readonly text?: readonly string[];
  /** The content type of an answer that is no text. */
  readonly bytes?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Executed by tests and shown in the documentation. */
export type RouteExample = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

type RouteFacts = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `:name` for parameters. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly query?: TObject;
  readonly body?: { readonly schema: TSchema; readonly isOptional?: true };
  /** Request headers that it reads, with what they mean. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly answer: AnswerDoc & { readonly status: number };
  /** Statuses of its errors, besides those that every route with a key has. */
  readonly errors: readonly number[];
  readonly example: RouteExample;
};

/** Every route of /api/v2. */
export type KeyedRoute = RouteFacts & { readonly handle: (request: AdminRequest) => Promise<Answer> };
/** A route that wants no key. */
export type OpenRoute = RouteFacts & {
  readonly isOpen: true;
  readonly handle: (request: OpenRequest) => Promise<Answer>;
};
export type Route = KeyedRoute | OpenRoute;
