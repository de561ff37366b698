// SPDX-License-Identifier: Apache-2.0
// A fake search domain: the OpenSearch requests that Midroll uses, implemented after the public documentation. It
// stores documents in memory and rejects everything else, so that a request that a real domain would reject fails here
// too. With SEARCH_URL, the suites run against a real domain instead.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { startServer } from '../../demo/listen.ts';
import { type Mapping, mapDocument, mappingOf, readTemplate, type Template } from './searchServerMapping.ts';
import { type Document, RequestFailure, search } from './searchServerQuery.ts';
import { freshIndex, realServer } from './searchServerReal.ts';

export type SearchServer = {
  /** Settings of a system whose report data is stored here, in a new index. */
  settings(): { searchDomain: string; searchUser?: string; searchPassword?: string; searchIndex: string };
  /** The faults of the next requests, in order; later requests succeed. */
  readonly faults: Fault[];
  /** Bodies of `POST /_bulk`, in order. */
  readonly bulkRequests: string[];
  /** The number of searches. */
  searches(): number;
  /** Makes written documents searchable. */
  refresh(): Promise<void>;
  close(): Promise<void>;
};

export type Fault =
  | { readonly status: number; readonly body?: object; readonly onlyOn?: RegExp }
  /** Rejects this number of documents of a bulk request. */
  | { readonly rejected: number; readonly status: number }
  /** Closes the connection before or after processing the request. */
  | { readonly disconnects: 'before' | 'after' };

type Index = {
  readonly mapping: Mapping;
  readonly documents: Map<string, Document>;
  readonly versions: Map<string, number>;
  searchable: Document[];
};

// biome-ignore lint/suspicious/noExplicitAny: requests are validated below
type Json = any;

const USER = 'midroll';
const PASSWORD = 'a password of the tests';
/** A small `http.max_content_length`. */
const MAX_BYTES = 6 * 2 ** 20;

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** Connects to SEARCH_URL (`https://user:password@host:9200`), or starts a fake server. */
export const startSearchServer = (): Promise<SearchServer> =>
  process.env.SEARCH_URL === undefined
    ? startFakeServer()
    : Promise.resolve(realServer(new URL(process.env.SEARCH_URL)));

async function startFakeServer(): Promise<SearchServer> {
  const templates = new Map<string, Template>();
  const indices = new Map<string, Index>();
  const faults: Fault[] = [];
  const bulkRequests: string[] = [];
  let searches = 0;

  const matching = (pattern: string): Index[] => {
    const names = new RegExp(`^${pattern.replace(/[.+]/g, '\\$&').replaceAll('*', '.*')}$`);
    return [...indices].filter(([name]) => names.test(name)).map(([, index]) => index);
  };
  const indexNamed = (name: string): Index => {
    if (!/^[^-_+A-Z\\/*?"<>| ,#:][^A-Z\\/*?"<>| ,#:]*$/.test(name) || name.length > 255)
      throw new RequestFailure(400, 'invalid_index_name_exception', `Invalid index name [${name}]`);
    const index = indices.get(name) ?? {
      mapping: mappingOf(templates, name),
      documents: new Map(),
      versions: new Map(),
      searchable: [],
    };
    indices.set(name, index);
    return index;
  };

  function write(action: unknown, source: unknown): [string, { status: number; error?: object }] {
    const [verb, target, ...more] = Object.entries((action ?? {}) as object).flat() as [string, Json];
    const known = verb === 'create' ? 2 : verb === 'index' ? 4 : 0;
    const { _index, _id, version, version_type } = target ?? {};
    if (
      known !== Object.keys(target ?? {}).length ||
      more.length > 0 ||
      ![_index, _id].every((name) => typeof name === 'string')
    )
      throw new RequestFailure(400, 'illegal_argument_exception', 'Malformed action/metadata line');
    if (verb === 'index' && (version_type !== 'external_gte' || !Number.isInteger(version)))
      throw new RequestFailure(400, 'illegal_argument_exception', 'version');
    if (Buffer.byteLength(_id) > 512) throw new RequestFailure(400, 'illegal_argument_exception', 'id is too long');
    const { mapping, documents, versions } = indexNamed(_index);
    if (verb === 'create' ? documents.has(_id) : (versions.get(_id) ?? 0) > version) {
      const reason = `[${_id}]: version conflict`;
      return [verb, { status: 409, error: { type: 'version_conflict_engine_exception', reason } }];
    }
    try {
      documents.set(_id, mapDocument(mapping, source));
      versions.set(_id, version ?? 1);
      return [verb, { status: 201 }];
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error;
      return [verb, { status: error.status, error: { type: error.type, reason: error.message } }];
    }
  }

  function bulk(body: string, contentType: string, rejected: { count: number; status: number }): object {
    if (!/^application\/(x-ndjson|json)/.test(contentType))
      throw new RequestFailure(406, 'media_type_header_exception', contentType);
    if (!body.endsWith('\n'))
      throw new RequestFailure(
        400,
        'illegal_argument_exception',
        'The bulk request must be terminated by a newline [\\n]',
      );
    const lines = body
      .slice(0, -1)
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    if (lines.length % 2 !== 0) throw new RequestFailure(400, 'illegal_argument_exception', 'an action has no source');
    const items = Array.from({ length: lines.length / 2 }, (_, item) => {
      rejected.count -= 1;
      const full = { type: 'es_rejected_execution_exception', reason: 'rejected execution of primary operation' };
      if (rejected.count >= 0) return { create: { status: rejected.status, error: full } };
      const [verb, outcome] = write(lines[2 * item], lines[2 * item + 1]);
      return { [verb]: outcome };
    });
    return { errors: items.some((item) => Object.values(item)[0]!.status >= 400), items };
  }

  function route(
    request: IncomingMessage,
    url: URL,
    body: string,
    rejected: { count: number; status: number },
  ): object {
    const { method = 'GET', headers } = request;
    const allow = (...names: string[]) => {
      const unknown = [...url.searchParams.keys()].find((name) => !names.includes(name));
      if (unknown !== undefined)
        throw new RequestFailure(
          400,
          'illegal_argument_exception',
          `request [${url.pathname}] contains unrecognized parameter: [${unknown}]`,
        );
    };
    const [, first = '', second = '', third] = url.pathname.split('/').map(decodeURIComponent);
    if (third === undefined && method === 'PUT' && first === '_index_template') {
      allow();
      templates.set(second, readTemplate(second, JSON.parse(body), templates));
      return { acknowledged: true };
    }
    if (method === 'POST' && first === '_bulk' && second === '') {
      allow('filter_path', 'refresh');
      bulkRequests.push(body);
      const done = bulk(body, headers['content-type'] ?? '', rejected);
      if (url.searchParams.get('refresh') === 'wait_for') refresh();
      return done;
    }
    if (method === 'POST' && second === '_search') {
      allow('ignore_unavailable', 'allow_no_indices', 'allow_partial_search_results');
      searches += 1;
      return search(matching(first), JSON.parse(body));
    }
    if (method === 'GET' && second === '_field_caps') {
      allow('fields', 'ignore_unavailable', 'allow_no_indices');
      const [prefix = '', ...more] = (url.searchParams.get('fields') ?? '').split('*');
      if (more.length !== 1) throw new RequestFailure(400, 'illegal_argument_exception', 'fields');
      const mapped = matching(first).flatMap(({ documents }) =>
        [...documents.values()].flatMap(({ values }) => [...values.keys()]),
      );
      const found = new Set(mapped.filter((name) => name.startsWith(prefix)));
      return { indices: [], fields: Object.fromEntries([...found].map((name) => [name, { long: {} }])) };
    }
    throw new RequestFailure(
      400,
      'illegal_argument_exception',
      `no handler found for uri [${url.pathname}] and method [${method}]`,
    );
  }

  function refresh(): void {
    for (const index of indices.values()) index.searchable = [...index.documents.values()];
  }

  const authorization = `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString('base64')}`;
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' });
      response.end(JSON.stringify(body));
    };
    const body = await readBody(request);
    const url = new URL(request.url ?? '/', 'http://search');
    const next = faults[0];
    const applies = next !== undefined && (!('onlyOn' in next) || next.onlyOn?.test(url.pathname) !== false);
    const fault = applies ? faults.shift() : undefined;
    const disconnects = fault !== undefined && 'disconnects' in fault ? fault.disconnects : undefined;
    if (disconnects === 'before') return void request.socket.destroy();
    if (fault !== undefined && 'body' in fault) return send(fault.status, fault.body ?? {});
    try {
      if (request.headers.authorization !== authorization)
        throw new RequestFailure(401, 'security_exception', 'missing authentication credentials');
      if (body.length > MAX_BYTES) throw new RequestFailure(413, 'content_too_long', 'entity content is too long');
      const rejected =
        fault !== undefined && 'rejected' in fault
          ? { count: fault.rejected, status: fault.status }
          : { count: 0, status: 0 };
      const done = route(request, url, body, rejected);
      if (disconnects === 'after') return void request.socket.destroy();
      send(200, done);
    } catch (error) {
      const failure =
        error instanceof RequestFailure ? error : new RequestFailure(400, 'parse_exception', String(error));
      const rootCause = { type: failure.type, reason: failure.message };
      send(failure.status, { error: { root_cause: [rootCause], ...rootCause }, status: failure.status });
    }
  }

  const { url: searchDomain, close } = await startServer((request, response) => void respond(request, response));
  return {
    settings: () => ({ searchDomain, searchUser: USER, searchPassword: PASSWORD, searchIndex: freshIndex() }),
    faults,
    bulkRequests,
    searches: () => searches,
    refresh: async () => refresh(),
    close,
  };
}
