// A search domain for tests: the few calls of OpenSearch that Midroll uses, answered as its public documentation says.
// It is no OpenSearch: it keeps documents in memory and refuses whatever it does not know, so that a request which a
// real one would refuse does not pass here. The suites that use it run against a real one when SEARCH_URL names it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Mapping, mapDocument, mappingOf, readTemplate, type Template } from './searchServerMapping.ts';
import { type Document, Refusal, search } from './searchServerQuery.ts';
import { freshIndex, realServer } from './searchServerReal.ts';

export type SearchServer = {
  /** Settings of a system that keeps its events here, in an index of its own. */
  settings(): { searchDomain: string; searchUser?: string; searchPassword?: string; searchIndex: string };
  /** What the next requests meet, the first first; then all is well again. `away` closes the connection. */
  readonly troubles: Trouble[];
  /** `POST /_bulk`, in order. */
  readonly asked: string[];
  /** How many searches there were. */
  searches(): number;
  /** Makes visible what was written. */
  refresh(): Promise<void>;
  close(): Promise<void>;
};

export type Trouble =
  | { readonly status: number; readonly body?: object; readonly onlyOn?: RegExp }
  /** So many documents of a bulk are turned away; the others are taken. */
  | { readonly turnedAway: number; readonly status: number }
  /** Everything is done, and nobody hears of it. */
  | { readonly doneBut: 'silent' }
  | { readonly away: true };

type Index = {
  readonly mapping: Mapping;
  readonly documents: Map<string, Document>;
  readonly versions: Map<string, number>;
  seen: Document[];
};

// biome-ignore lint/suspicious/noExplicitAny: requests are looked into before they are believed
type Json = any;

const USER = 'midroll';
const PASSWORD = 'a password of the tests';
/** http.max_content_length, made small. */
const MOST_BYTES = 6 * 2 ** 20;

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** The server that SEARCH_URL names (`https://user:password@host:9200`), else one of the test's own. */
export const startSearchServer = (): Promise<SearchServer> =>
  process.env.SEARCH_URL === undefined ? startScripted() : Promise.resolve(realServer(new URL(process.env.SEARCH_URL)));

async function startScripted(): Promise<SearchServer> {
  const templates = new Map<string, Template>();
  const indices = new Map<string, Index>();
  const troubles: Trouble[] = [];
  const asked: string[] = [];
  let searches = 0;

  const matching = (pattern: string): Index[] => {
    const names = new RegExp(`^${pattern.replace(/[.+]/g, '\\$&').replaceAll('*', '.*')}$`);
    return [...indices].filter(([name]) => names.test(name)).map(([, index]) => index);
  };
  const indexNamed = (name: string): Index => {
    if (!/^[^-_+A-Z\\/*?"<>| ,#:][^A-Z\\/*?"<>| ,#:]*$/.test(name) || name.length > 255)
      throw new Refusal(400, 'invalid_index_name_exception', `Invalid index name [${name}]`);
    const index = indices.get(name) ?? {
      mapping: mappingOf(templates, name),
      documents: new Map(),
      versions: new Map(),
      seen: [],
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
      throw new Refusal(400, 'illegal_argument_exception', 'Malformed action/metadata line');
    if (verb === 'index' && (version_type !== 'external_gte' || !Number.isInteger(version)))
      throw new Refusal(400, 'illegal_argument_exception', 'version');
    if (Buffer.byteLength(_id) > 512) throw new Refusal(400, 'illegal_argument_exception', 'id is too long');
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
      if (!(error instanceof Refusal)) throw error;
      return [verb, { status: error.status, error: { type: error.type, reason: error.message } }];
    }
  }

  function bulk(body: string, contentType: string, turnedAway: { count: number; status: number }): object {
    if (!/^application\/(x-ndjson|json)/.test(contentType))
      throw new Refusal(406, 'media_type_header_exception', contentType);
    if (!body.endsWith('\n'))
      throw new Refusal(400, 'illegal_argument_exception', 'The bulk request must be terminated by a newline [\\n]');
    const lines = body
      .slice(0, -1)
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    if (lines.length % 2 !== 0) throw new Refusal(400, 'illegal_argument_exception', 'an action has no source');
    const items = Array.from({ length: lines.length / 2 }, (_, item) => {
      turnedAway.count -= 1;
      const full = { type: 'es_rejected_execution_exception', reason: 'rejected execution of primary operation' };
      if (turnedAway.count >= 0) return { create: { status: turnedAway.status, error: full } };
      const [verb, outcome] = write(lines[2 * item], lines[2 * item + 1]);
      return { [verb]: outcome };
    });
    return { errors: items.some((item) => Object.values(item)[0]!.status >= 400), items };
  }

  function route(
    request: IncomingMessage,
    url: URL,
    body: string,
    turnedAway: { count: number; status: number },
  ): object {
    const { method = 'GET', headers } = request;
    const allow = (...names: string[]) => {
      const odd = [...url.searchParams.keys()].find((name) => !names.includes(name));
      if (odd !== undefined)
        throw new Refusal(
          400,
          'illegal_argument_exception',
          `request [${url.pathname}] contains unrecognized parameter: [${odd}]`,
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
      asked.push(body);
      const done = bulk(body, headers['content-type'] ?? '', turnedAway);
      if (url.searchParams.get('refresh') === 'wait_for') refresh();
      return done;
    }
    if (method === 'POST' && second === '_search') {
      allow('ignore_unavailable', 'allow_no_indices', 'allow_partial_search_results');
      searches += 1;
      return search(matching(first), JSON.parse(body));
    }
    throw new Refusal(
      400,
      'illegal_argument_exception',
      `no handler found for uri [${url.pathname}] and method [${method}]`,
    );
  }

  function refresh(): void {
    for (const index of indices.values()) index.seen = [...index.documents.values()];
  }

  const authorization = `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString('base64')}`;
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' });
      response.end(JSON.stringify(body));
    };
    const body = await readBody(request);
    const url = new URL(request.url ?? '/', 'http://search');
    const next = troubles[0];
    const meets = next !== undefined && (!('onlyOn' in next) || next.onlyOn?.test(url.pathname) !== false);
    const trouble = meets ? troubles.shift() : undefined;
    if (trouble !== undefined && 'away' in trouble) return void request.socket.destroy();
    if (trouble !== undefined && 'body' in trouble) return send(trouble.status, trouble.body ?? {});
    try {
      if (request.headers.authorization !== authorization)
        throw new Refusal(401, 'security_exception', 'missing authentication credentials');
      if (body.length > MOST_BYTES) throw new Refusal(413, 'content_too_long', 'entity content is too long');
      const turned =
        trouble !== undefined && 'turnedAway' in trouble
          ? { count: trouble.turnedAway, status: trouble.status }
          : undefined;
      const done = route(request, url, body, turned ?? { count: 0, status: 0 });
      if (trouble !== undefined && 'doneBut' in trouble) return void request.socket.destroy();
      send(200, done);
    } catch (error) {
      const refusal = error instanceof Refusal ? error : new Refusal(400, 'parse_exception', String(error));
      const told = { type: refusal.type, reason: refusal.message };
      send(refusal.status, { error: { root_cause: [told], ...told }, status: refusal.status });
    }
  }

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const searchDomain = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    settings: () => ({ searchDomain, searchUser: USER, searchPassword: PASSWORD, searchIndex: freshIndex() }),
    troubles,
    asked,
    searches: () => searches,
    refresh: async () => refresh(),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
