// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { expect, test } from 'vitest';
import { lawRuns } from '../../../../test/lawRuns.ts';
import { naming } from '../../../../test/naming.ts';
import { scheduleBody } from '../../../platform/schedules/contract/scheduleContract.ts';
import { channelBody } from '../../contract/channelContract.ts';
import { NO_CONTROLS } from '../../contract/commonContract.ts';
import { playlistBody } from '../../contract/playlistContract.ts';
import { pageQuery, readQuery } from './readQuery.ts';
import { MAX_FAULTS, schemaFaults } from './validate.ts';

const byPath = (faults: ReturnType<typeof schemaFaults>) =>
  Object.fromEntries(faults.map(({ dataPath, keyword, message }) => [dataPath, { keyword, message }]));
/** The keyword of a fault, and the values that its message contains. */
const fault = (keyword: string, ...names: (string | number)[]) => ({ keyword, message: naming(...names) });

test('reports every invalid field with the expected and the actual value', () => {
  const body = {
    id: 'a/b',
    nmae: 'x',
    status: 'on',
    contents: [
      { url: 5, duration: 'long', 'sub/unit': 1, cuePoints: [{ spliceTime: -2, maxAds: 1.5 }, {}] },
      { sourceType: 'file', duration: 0, cuePoints: {} },
      null,
    ],
  };
  expect(byPath(schemaFaults(playlistBody, body))).toEqual({
    '/id': fault('pattern', 1, 128, '._~@:-', '"a/b"'),
    '/nmae': fault('additionalProperties', 'id', 'name', 'type', 'status', 'startDate', 'contents'),
    '/status': fault('enum', '"enabled"', '"disabled"', '"on"'),
    '/contents/0/url': fault('type', 5),
    '/contents/0/duration': fault('pattern', '"long"'),
    '/contents/0/sub~1unit': fault(
      ...(['additionalProperties', 'sourceType', 'url', 'duration', 'spliceType', 'cuePoints'] as const),
    ),
    '/contents/0/cuePoints/0/spliceTime': fault('minimum', -1, -2),
    '/contents/0/cuePoints/1/spliceTime': fault('required'),
    '/contents/0/cuePoints/0/maxAds': fault('type', 1.5),
    '/contents/1/sourceType': fault('enum', '"url"', '"placeholder"', '"file"'),
    '/contents/1/duration': fault('exclusiveMinimum', 0),
    '/contents/1/cuePoints': fault('type'),
    '/contents/2': fault('type', 'null'),
  });
});

test.each([null, [], 'x', 5, true])('a body that is not an object is one fault of the whole body: %j', (body) => {
  expect(schemaFaults(playlistBody, body)).toMatchObject([{ keyword: 'type', dataPath: '' }]);
});

test('objects with free names accept a limited number of strings', () => {
  const headers = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`h${n}`, 'x']));
  const params = { a: 1, 'b\nc': true, d: 'x'.repeat(4097) };
  expect(byPath(schemaFaults(channelBody, { adSource: { url: 'x', headers, params } }))).toEqual({
    '/adSource/headers': fault('maxProperties', 50, 51),
    '/adSource/params/a': fault('type', 1),
    '/adSource/params/b\nc': fault('type', 'true'),
    '/adSource/params/d': fault('maxLength', 4096, 4097),
  });
});

test('looks at nothing after the last fault that is returned, and at no item of a list that is too long', () => {
  let seen = 0;
  const watched = (item: object) =>
    new Proxy(item, {
      ownKeys: (target) => {
        seen += 1;
        return Reflect.ownKeys(target);
      },
    });
  const contents = Array.from({ length: 1000 }, () => watched({ sourceType: 1, x: 1, y: 2 }));
  expect(schemaFaults(playlistBody, { contents })).toHaveLength(MAX_FAULTS);
  expect(seen).toBeLessThan(400);
  seen = 0;
  const [excess, ...others] = schemaFaults(playlistBody, { contents: [...contents, {}] });
  expect([excess, others, seen]).toMatchObject([fault('maxItems', 1000, 1001), [], 0]);
  const names = Object.fromEntries(Array.from({ length: 80_000 }, (_, n) => [`x${n}`, 1]));
  expect(schemaFaults(playlistBody, names)).toHaveLength(MAX_FAULTS);
});

test('finds what a validator finds that it does not share code with', () => {
  const validators = new Map(
    [playlistBody, channelBody, pageQuery, scheduleBody].map((schema) => [schema, Compile(schema)]),
  );
  const names = 'id name type status contents limit adSource markers entries source breaks x __proto__'.split(' ');
  const name = fc.constantFrom(...names);
  const text = fc.oneof(
    fc.constantFrom('vod', 'enabled', 'url', 'a.b', '1.5', 'hls', '\u{1f600}'.repeat(300)),
    fc.string(),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      ...[text, fc.integer({ min: -2, max: 2000 }), fc.double(), fc.constant(null), fc.boolean()],
      fc.array(tie('value'), { maxLength: 4 }),
      fc.array(fc.constant('same'), { maxLength: 3 }),
      fc.dictionary(
        fc.oneof(
          name,
          fc.constantFrom(
            'url',
            'duration',
            'cuePoints',
            'spliceTime',
            'maxAds',
            'headers',
            'every',
            'id',
            'source',
            'breaks',
          ),
        ),
        tie('value'),
      ),
    ),
  }));
  const fields = fc.dictionary(name, value);
  fc.assert(
    fc.property(fc.constantFrom(...validators.keys()), fc.oneof(fields, value), (schema, body) => {
      expect(schemaFaults(schema, body).length === 0).toBe(validators.get(schema)!.Check(body));
    }),
    lawRuns(500),
  );
});

test('reads numbers and defaults from a query', () => {
  expect(readQuery(pageQuery, {})).toEqual({ offset: 0, limit: 20 });
  expect(readQuery(pageQuery, { offset: '40', limit: '100', other: 'x' })).toEqual({ offset: 40, limit: 100 });
});

test.each([
  [{ limit: '0' }, '/limit'],
  [{ limit: '101' }, '/limit'],
  [{ limit: '1.5' }, '/limit'],
  [{ limit: '' }, '/limit'],
  [{ limit: '0x10' }, '/limit'],
  [{ limit: ['1', '2'] }, '/limit'],
  [{ offset: '-1' }, '/offset'],
  [{ offset: '9'.repeat(400) }, '/offset'],
])('rejects %j', (query, dataPath) => {
  try {
    readQuery(pageQuery, query);
    expect.unreachable();
  } catch (error) {
    expect(error).toMatchObject({ status: 422, data: [{ dataPath }] });
  }
});

test('text without control characters has neither halves of characters nor more characters than allowed', () => {
  const schema = Type.Object({ text: Type.String({ pattern: NO_CONTROLS, maxLength: 3 }) });
  const faults = (text: string) => schemaFaults(schema, { text }).map(({ keyword }) => keyword);
  for (const text of ['', 'abc', '🎬🎬🎬', 'ä\u00a0~']) expect([text, faults(text)]).toEqual([text, []]);
  for (const text of ['\0', 'a\n', '\u007f', '\u0085', '\ud800', 'a\udc00'])
    expect([text, faults(text)]).toEqual([text, ['pattern']]);
  expect(faults('🎬🎬🎬🎬')).toEqual(['maxLength']);
});

test('a value of a union has to be one of its branches, and the faults are those of the branch that was meant', () => {
  const closed = (fields: Record<string, TSchema>) => Type.Object(fields, { additionalProperties: false });
  const union = Type.Union([
    Type.Array(Type.Number()),
    Type.Literal('all'),
    closed({ url: Type.String(), from: Type.Optional(Type.Number({ minimum: 0 })) }),
    closed({ list: Type.String() }),
  ]);
  const faults = (value: unknown) =>
    schemaFaults(union, value).map(({ dataPath, message }) => `${dataPath} ${message}`);
  for (const value of [[1], 'all', { url: 'x' }, { url: 'x', from: 1 }, { list: 'y' }])
    expect(faults(value)).toEqual([]);
  expect(faults(5)).toEqual([' must be an array or "all" or an object or an object; got 5']);
  expect(faults('some')).toEqual([naming('must be', '"all"', '"some"')]);
  expect(faults(['x'])).toEqual([naming('/0', 'number')]);
  expect(faults({ url: 'x', from: -1 })).toEqual([naming('/from', 'at least 0', '-1')]);
  expect(faults({ list: 'x', url: 'y' })).toHaveLength(1);
  expect(faults({ list: 5 })).toEqual([naming('/list', 'string', '5')]);
});
