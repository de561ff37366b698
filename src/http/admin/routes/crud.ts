// Create, read, replace, patch, delete: what the routes of systems, playlists and channels have in common. What is
// theirs alone comes as a kind.
import type { TSchema } from 'typebox';
import type { Versioned } from '../../../channels/ports.ts';
import { AppError, type FieldError } from '../../../errors.ts';
import type { Millis } from '../../../time/units.ts';
import { checkIfMatch } from '../request/entityTag.ts';
import { mergePatch } from '../request/mergePatch.ts';
import type { AdminRequest, Caller, KeyedRoute } from '../request/route.ts';
import { idFaults, type Owned, readBody, recordAnswer, without } from './record.ts';

export type Kind<Row extends Owned, Body> = {
  readonly noun: string;
  /** Where its list is. */
  readonly path: string;
  readonly body: TSchema;
  readonly answer: TSchema;
  readonly ignored: readonly string[];
  readonly store: {
    insert(record: Row): Promise<boolean>;
    find(tenant: string, id: string): Promise<Versioned<Row> | undefined>;
    replace(record: Versioned<Row>): Promise<boolean>;
    remove(tenant: string, id: string, version?: number): Promise<boolean>;
  };
  readonly now: () => Millis;
  readonly newId: () => string;
  readonly isId: (text: string) => boolean;
  /** What the schema cannot say. */
  faults(fields: unknown, caller: Caller, previous?: Row): Promise<readonly FieldError[]>;
  /** The fields of the record, with defaults. */
  make(body: Body, previous?: Row): Omit<Row, keyof Owned>;
  show(record: Versioned<Row>): Promise<unknown>;
  /** Called when a change is on disk. */
  changed(record: Owned): void;
  readonly example: { readonly id: string; readonly body: object; readonly patch: object };
};

/** Whoever loses has lost to somebody who won: so many rivals at once are all served. */
const ATTEMPTS = 50;

export function crudRoutes<Row extends Owned, Body>(kind: Kind<Row, Body>) {
  const { noun, path, store } = kind;
  const rules = { noun, schema: kind.body, ignored: kind.ignored };
  const timestamp = () => new Date(kind.now()).toISOString();
  const missing = (id: string) => new AppError('NOT_FOUND', `There is no ${noun} with the id "${id.slice(0, 200)}".`);

  async function find({ caller, params }: AdminRequest): Promise<Versioned<Row>> {
    const id = params.id!;
    const record = kind.isId(id) ? await store.find(caller.tenant, id) : undefined;
    if (!record) throw missing(id);
    return record;
  }

  async function create({ caller, body }: AdminRequest): Promise<Versioned<Row>> {
    const fields = (await readBody(body, rules, (given) => kind.faults(given, caller))) as Body & { id?: string };
    const id = fields.id ?? kind.newId();
    const owner = { id, tenant: caller.tenant, createdBy: caller.email, createdAt: timestamp() };
    const record = { ...kind.make(fields), ...owner } as unknown as Row;
    if (!(await store.insert(record)))
      throw new AppError('CONFLICT', `There is a ${noun} with the id "${id}" already.`);
    kind.changed(record);
    return { ...record, version: 0 };
  }

  /** Reads, changes and writes until nobody came between; with If-Match the first other change is a 412. */
  async function update(request: AdminRequest, bodyFor: (previous: Row) => unknown): Promise<Versioned<Row>> {
    const { caller, headers } = request;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const previous = await find(request);
      checkIfMatch(headers['if-match'], previous);
      const { id, tenant, createdBy, createdAt, version } = previous;
      const fields = (await readBody(bodyFor(previous), rules, async (given) => [
        ...idFaults(given, id),
        ...(await kind.faults(given, caller, previous)),
      ])) as Body;
      const owner = { id, tenant, createdBy, createdAt, modifiedBy: caller.email, modifiedAt: timestamp() };
      const record = { ...kind.make(fields, previous), ...owner, version } as unknown as Versioned<Row>;
      if (await store.replace(record)) {
        kind.changed(record);
        return { ...record, version: version + 1 };
      }
    }
    throw new AppError('CONFLICT', `The ${noun} is being changed by many at once; try again.`);
  }

  async function remove(request: AdminRequest): Promise<void> {
    const record = await find(request);
    const condition = request.headers['if-match'];
    checkIfMatch(condition, record);
    const version = condition === undefined ? undefined : record.version;
    if (!(await store.remove(record.tenant, record.id, version))) {
      if (version === undefined) throw missing(record.id);
      throw new AppError('PRECONDITION_FAILED', `The ${noun} changed just now. Read it again first.`);
    }
    kind.changed(record);
  }

  const one = `${path}/:id`;
  const params = { id: kind.example.id };
  const facts = { tag: `${noun}s`, errors: [404] };
  const etag = { etag: 'the version, for If-Match' };
  const ifMatch = { 'if-match': 'the ETag of the version that is meant; 412 when there is a newer one' };
  const capital = noun[0]!.toUpperCase() + noun.slice(1);

  return {
    find,
    create: {
      ...facts,
      method: 'POST',
      path,
      operationId: `create${capital}`,
      summary: `Create a ${noun}`,
      body: { schema: kind.body },
      answer: {
        status: 201,
        description: `the ${noun}`,
        schema: kind.answer,
        headers: { ...etag, location: 'its path' },
      },
      errors: [409],
      example: { body: { id: kind.example.id, ...kind.example.body } },
      handle: async (request) => {
        const record = await create(request);
        const answer = recordAnswer(201, record, await kind.show(record));
        return { ...answer, headers: { ...answer.headers, location: `${path}/${record.id}` } };
      },
    } satisfies KeyedRoute,
    read: {
      ...facts,
      method: 'GET',
      path: one,
      operationId: `get${capital}`,
      summary: `Read a ${noun}`,
      answer: { status: 200, description: `the ${noun}`, schema: kind.answer, headers: etag },
      example: { params },
      handle: async (request) => {
        const record = await find(request);
        return recordAnswer(200, record, await kind.show(record));
      },
    } satisfies KeyedRoute,
    replace: {
      ...facts,
      method: 'PUT',
      path: one,
      operationId: `update${capital}`,
      summary: `Replace a ${noun}`,
      description: 'Replaces all of it: what is omitted falls back to its default. PATCH changes single fields.',
      headers: ifMatch,
      body: { schema: kind.body },
      answer: { status: 200, description: `the ${noun}`, schema: kind.answer, headers: etag },
      errors: [404, 409, 412],
      example: { params, body: kind.example.body },
      handle: async (request) => {
        const record = await update(request, () => request.body);
        return recordAnswer(200, record, await kind.show(record));
      },
    } satisfies KeyedRoute,
    patch: {
      ...facts,
      method: 'PATCH',
      path: one,
      operationId: `patch${capital}`,
      summary: `Change fields of a ${noun}`,
      description: 'JSON Merge Patch (RFC 7396): what is omitted stays, null removes, lists are replaced whole.',
      headers: ifMatch,
      body: { schema: { type: 'object', description: `fields of the ${noun}` } as TSchema },
      answer: { status: 200, description: `the ${noun}`, schema: kind.answer, headers: etag },
      errors: [404, 409, 412],
      example: { params, body: kind.example.patch },
      handle: async (request) => {
        if (request.body === undefined)
          throw new AppError('MALFORMED', 'A body is wanted: the fields to change, as JSON.');
        const patch = without(request.body, kind.ignored);
        const record = await update(request, (previous) =>
          mergePatch(without(previous, [...kind.ignored, 'version']), patch),
        );
        return recordAnswer(200, record, await kind.show(record));
      },
    } satisfies KeyedRoute,
    remove: {
      ...facts,
      method: 'DELETE',
      path: one,
      operationId: `delete${capital}`,
      summary: `Delete a ${noun}`,
      headers: ifMatch,
      answer: { status: 204, description: 'it is gone' },
      errors: [404, 412],
      example: { params },
      handle: async (request) => {
        await remove(request);
        return { status: 204 };
      },
    } satisfies KeyedRoute,
  };
}
