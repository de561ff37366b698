// SPDX-License-Identifier: Apache-2.0
// Create, read, replace, patch and delete: the routes that systems, playlists and channels have in common. A `Kind`
// supplies what differs.
import { type TObject, type TSchema, Type } from 'typebox';
import { fieldsOf, isFields } from '../../../channels/fieldsOf.ts';
import type { Versioned } from '../../../channels/ports.ts';
import type { Written } from '../../../channels/written.ts';
import { AppError, type FieldError } from '../../../errors.ts';
import { includesScope } from '../../../platform/access/rules/scope.ts';
import type { AuditEntry } from '../../../platform/audit/rules/auditEntry.ts';
import type { Millis } from '../../../time/units.ts';
import { checkIfMatch } from '../request/entityTag.ts';
import type { AdminRequest, Caller, KeyedRoute, RouteResponse, UntaggedRoute } from '../request/route.ts';
import {
  auditedChange,
  capitalized,
  type Headers,
  idFaults,
  idIn,
  readBody,
  recordNotFound,
  recordResponse,
  without,
} from './record.ts';

export type Kind<Row extends Written, Body> = {
  readonly noun: string;
  /** The name in operation ids; default: the noun. */
  readonly operation?: string;
  /** Default: the plural of the noun. */
  readonly tag?: string;
  /** Path of the collection. */
  readonly path: string;
  /** The parameter of the path of a record; default: `id`. */
  readonly param?: string;
  readonly body: TSchema;
  readonly response: TSchema;
  readonly ignored: readonly string[];
  readonly store: {
    insert(record: Row, entry: AuditEntry): Promise<boolean>;
    find(tenant: string, id: string, request: AdminRequest): Promise<Versioned<Row> | undefined>;
    replace(record: Versioned<Row>, entry: AuditEntry): Promise<boolean>;
  };
  /** Deletes this version. @returns headers of the response; undefined if the record has changed, or there is none any more */
  discard(record: Versioned<Row>, request: AdminRequest): Promise<Headers | undefined>;
  /** What its responses have in addition to those of every record. */
  readonly discarding: { readonly query?: TObject; readonly headers: Headers; readonly errors?: readonly number[] };
  /** Headers of the responses to changes, with their documentation. */
  readonly affected?: { readonly headers: Headers; of(record: Row): Promise<Headers> };
  readonly now: () => Millis;
  readonly newId: () => string;
  readonly isId: (text: string) => boolean;
  /** Media types of XML that requests may have in place of JSON. */
  readonly textTypes?: readonly string[];
  /** The fields of a record in such a document. */
  readXml?(document: string): Promise<unknown>;
  /** Checks what the schema cannot express. */
  faults(fields: unknown, caller: Caller, previous?: Row): Promise<readonly FieldError[]>;
  /** The stored fields, with defaults. */
  make(body: Body, previous?: Row): Omit<Row, keyof Written>;
  show(record: Versioned<Row>): Promise<unknown>;
  /** Called after a change was stored. */
  changed(record: Written): void;
  readonly example: {
    readonly id: string;
    readonly body: object;
    readonly patch: object;
    /** Other parameters of the path. */
    readonly params?: Readonly<Record<string, string>>;
  };
};

/** An attempt fails only if another request's succeeded, so this many concurrent requests all succeed. */
const MAX_UPDATE_ATTEMPTS = 50;

export function crudRoutes<Row extends Written, Body>(kind: Kind<Row, Body>) {
  const { noun, path, store, param = 'id' } = kind;
  const rules = { noun, schema: kind.body, ignored: kind.ignored };
  const tooManyChanges = () => new AppError('CONFLICT', `Too many concurrent changes of the ${noun}. Retry.`);
  const timestamp = () => new Date(kind.now()).toISOString();

  async function find(request: AdminRequest): Promise<Versioned<Row>> {
    const id = idIn(request, param);
    const record = kind.isId(id) ? await store.find(request.caller.tenant, id, request) : undefined;
    if (!record) throw recordNotFound(noun, id);
    return record;
  }

  /** @throws {AppError} if an XML body cannot be read */
  const bodyOf = async ({ body, document }: AdminRequest): Promise<unknown> =>
    document === undefined ? body : kind.readXml?.(document);

  async function create(request: AdminRequest): Promise<Versioned<Row>> {
    const { caller } = request;
    const fields = (await readBody(await bodyOf(request), rules, (given) => kind.faults(given, caller))) as Body & {
      id?: string;
    };
    const id = fields.id ?? kind.newId();
    const owner = { id, tenant: caller.tenant, createdBy: caller.email, createdAt: timestamp() };
    const record = { ...kind.make(fields), ...owner } as unknown as Row;
    if (!(await store.insert(record, request.audit.entry(auditedChange(noun, undefined, record)))))
      throw new AppError('CONFLICT', `${capitalized(noun)} "${id}" already exists. Choose another id, or update it.`);
    request.afterwards(() => kind.changed(record));
    return { ...record, version: 0 };
  }

  /** Repeats until no other request has changed the record in between. With If-Match, such a change is a 412. */
  async function update(request: AdminRequest, bodyFor: (previous: Row) => unknown): Promise<Versioned<Row>> {
    const { caller, headers } = request;
    for (let attempt = 0; attempt < MAX_UPDATE_ATTEMPTS; attempt += 1) {
      const previous = await find(request);
      checkIfMatch(headers['if-match'], previous);
      const { id, tenant, createdBy, createdAt, version } = previous;
      const fields = (await readBody(await bodyFor(previous), rules, async (given) => [
        ...idFaults(given, id),
        ...(await kind.faults(given, caller, previous)),
      ])) as Body;
      const owner = { id, tenant, createdBy, createdAt, modifiedBy: caller.email, modifiedAt: timestamp() };
      const record = { ...kind.make(fields, previous), ...owner, version } as unknown as Versioned<Row>;
      if (await store.replace(record, request.audit.entry(auditedChange(noun, previous, record)))) {
        request.afterwards(() => kind.changed(record));
        return { ...record, version: version + 1 };
      }
    }
    throw tooManyChanges();
  }

  /** Without If-Match, repeats until no other request has changed the record in between. */
  async function remove(request: AdminRequest): Promise<Headers> {
    for (let attempt = 0; attempt < MAX_UPDATE_ATTEMPTS; attempt += 1) {
      const record = await find(request);
      checkIfMatch(request.headers['if-match'], record);
      const headers = await kind.discard(record, request);
      if (headers === undefined) continue;
      request.afterwards(() => kind.changed(record));
      return headers;
    }
    throw tooManyChanges();
  }

  async function changed(request: AdminRequest, bodyFor: (previous: Row) => unknown): Promise<RouteResponse> {
    const record = await update(request, bodyFor);
    const { headers, ...response } = recordResponse(200, record, await kind.show(record));
    return { ...response, headers: { ...headers, ...(await kind.affected?.of(record)) } };
  }

  const one = `${path}/:${param}`;
  const params = { ...kind.example.params, [param]: kind.example.id };
  const facts = { tag: kind.tag ?? `${noun}s`, errors: [404] };
  const etag = { etag: 'The version of the record, for If-Match.' };
  const ofChange = { ...etag, ...kind.affected?.headers };
  const ifMatch = { 'if-match': 'ETag of the expected version. The response is a 412 if the record has changed.' };
  const aNoun = `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
  const name = kind.operation ?? capitalized(noun);
  const body = { schema: kind.body, ...(kind.textTypes ? { textTypes: kind.textTypes } : {}) };
  const responseDoc = { description: `The ${noun}.`, schema: kind.response };

  return {
    find,
    create: {
      ...facts,
      method: 'POST',
      path,
      operationId: `create${name}`,
      summary: `Create ${aNoun}`,
      body,
      response: { status: 201, ...responseDoc, headers: { ...etag, location: 'Path of the record.' } },
      errors: [409],
      example: {
        ...(kind.example.params && { params: kind.example.params }),
        body: { id: kind.example.id, ...kind.example.body },
      },
      handle: async (request) => {
        const record = await create(request);
        const response = recordResponse(201, record, await kind.show(record));
        return { ...response, headers: { ...response.headers, location: `${path}/${record.id}` } };
      },
    } satisfies KeyedRoute,
    read: {
      ...facts,
      method: 'GET',
      path: one,
      operationId: `get${name}`,
      summary: `Read ${aNoun}`,
      response: { status: 200, ...responseDoc, headers: etag },
      example: { params },
      handle: async (request) => {
        const record = await find(request);
        return recordResponse(200, record, await kind.show(record));
      },
    } satisfies KeyedRoute,
    replace: {
      ...facts,
      method: 'PUT',
      path: one,
      operationId: `update${name}`,
      summary: `Replace ${aNoun}`,
      description: 'Replaces all fields. Omitted fields get their defaults. Use PATCH to change single fields.',
      headers: ifMatch,
      body,
      response: { status: 200, ...responseDoc, headers: ofChange },
      errors: [404, 409, 412],
      example: { params, body: kind.example.body },
      handle: (request) => changed(request, () => bodyOf(request)),
    } satisfies KeyedRoute,
    patch: {
      ...facts,
      method: 'PATCH',
      path: one,
      operationId: `patch${name}`,
      summary: `Change fields of ${aNoun}`,
      description:
        'JSON Merge Patch (RFC 7396): omitted fields are unchanged, null removes a field, arrays are replaced as a whole.',
      headers: ifMatch,
      body: {
        schema: { type: 'object', description: `Fields of the ${noun} to change.` } as TSchema,
        patches: kind.body,
      },
      response: { status: 200, ...responseDoc, headers: ofChange },
      errors: [404, 409, 412],
      example: { params, body: kind.example.patch },
      handle: async (request) => {
        if (request.body === undefined)
          throw new AppError('MALFORMED', 'Missing request body. Send the fields to change as JSON.');
        const patch = without(request.body, kind.ignored);
        return changed(request, (previous) => mergePatch(without(previous, [...kind.ignored, 'version']), patch));
      },
    } satisfies KeyedRoute,
    remove: {
      ...facts,
      method: 'DELETE',
      path: one,
      operationId: `delete${name}`,
      summary: `Delete ${aNoun}`,
      headers: ifMatch,
      ...(kind.discarding.query ? { query: kind.discarding.query } : {}),
      response: { status: 204, description: 'Deleted.', headers: kind.discarding.headers },
      errors: [404, 412, ...(kind.discarding.errors ?? [])],
      example: { params },
      handle: async (request) => ({ status: 204, headers: await remove(request) }),
    } satisfies KeyedRoute,
  };
}

// JSON Merge Patch. Source: RFC 7396 §2.

/** @returns a copy of the target with the patch applied */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isFields(patch)) return patch;
  const fields = new Map(Object.entries(fieldsOf(target)));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) fields.delete(name);
    else fields.set(name, mergePatch(fields.get(name), value));
  }
  return Object.fromEntries(fields);
}

/** The route that lists all records of a tenant, of which there are few. */
export const listRoute = <Row extends Written, Body>(
  { noun, operation = capitalized(noun), tag = `${noun}s`, path, response, show }: Kind<Row, Body>,
  list: (tenant: string) => Promise<Versioned<Row>[]>,
  description: string,
): KeyedRoute => ({
  tag,
  method: 'GET',
  path,
  operationId: `list${operation}s`,
  summary: `List ${noun}s`,
  response: { status: 200, description, schema: Type.Array(response) },
  handle: async ({ caller }) => ({ status: 200, json: await Promise.all((await list(caller.tenant)).map(show)) }),
});

// Records as callers see them who may not change them: without the credentials that they contain.

/** @param names of the fields to leave out; `a.b` is a field of an object */
function hide(record: unknown, names: readonly string[]): unknown {
  const nested = names.filter((name) => name.includes('.')).map((name) => name.split('.') as [string, string]);
  const shown = without(record, names) as Record<string, unknown>;
  for (const [field, name] of nested) if (shown[field] !== undefined) shown[field] = without(shown[field], [name]);
  return shown;
}

/** The route, whose response contains these fields only for the scope `manage`. */
export const withoutSecrets = <Route extends UntaggedRoute>(route: Route, names: readonly string[]): Route => ({
  ...route,
  description: [
    route.description,
    `Without the scope \`manage\`, ${new Intl.ListFormat('en').format(names.map((name) => `\`${name}\``))} ${names.length === 1 ? 'is' : 'are'} omitted.`,
  ]
    .filter((text) => text !== undefined)
    .join(' '),
  handle: async (request) => {
    const response = await route.handle(request);
    const { json } = response;
    if (json === undefined || includesScope(request.caller.scope, 'manage')) return response;
    return { ...response, json: Array.isArray(json) ? json.map((one) => hide(one, names)) : hide(json, names) };
  },
});
