import { expect, test } from 'vitest';
import { channelBody, playlistBody } from '../contract.ts';
import { pageQuery, readQuery } from './readQuery.ts';
import { schemaFaults } from './validate.ts';

const told = (faults: ReturnType<typeof schemaFaults>) =>
  Object.fromEntries(faults.map(({ dataPath, message }) => [dataPath, message]));

test('every field that offends is named, with what was wanted and what came', () => {
  const body = {
    id: 'a/b',
    nmae: 'x',
    status: 'on',
    contents: [
      { url: 5, duration: 'long', 'sub/unit': 1, cuePoints: [{ spliceTime: -1, maxAds: 1.5 }] },
      { sourceType: 'file', duration: 0, cuePoints: {} },
      null,
    ],
  };
  expect(told(schemaFaults(playlistBody, body))).toEqual({
    '/id': 'must be 1 to 128 letters, digits and ._~@:- beginning with a letter or digit; got "a/b"',
    '/nmae': 'is not known here; known are id, name, type, status, startDate, contents',
    '/status': 'must be one of "enabled", "disabled"; got "on"',
    '/contents/0/sourceType': 'is required',
    '/contents/0/url': 'must be a string; got 5',
    '/contents/0/duration': 'must be seconds, as a number or a numeric string; answered as a number; got "long"',
    '/contents/0/sub~1unit': 'is not known here; known are sourceType, url, duration, spliceType, cuePoints',
    '/contents/0/cuePoints/0/maxDuration': 'is required',
    '/contents/0/cuePoints/0/spliceTime': 'must be at least 0; got -1',
    '/contents/0/cuePoints/0/maxAds': 'must be a whole number; got 1.5',
    '/contents/1/sourceType': 'must be one of "url", "placeholder"; got "file"',
    '/contents/1/duration': 'must be more than 0; got 0',
    '/contents/1/cuePoints': 'must be a list; got an object',
    '/contents/2': 'must be an object; got null',
  });
});

test.each([null, [], 'x', 5, true])('a body that is no object is a fault of the whole: %j', (body) => {
  expect(schemaFaults(playlistBody, body)).toMatchObject([{ keyword: 'type', dataPath: '' }]);
});

test('free names hold strings only, and not too many', () => {
  const headers = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`h${n}`, 'x']));
  const params = { a: 1, 'b\nc': true, d: 'x'.repeat(4097) };
  expect(told(schemaFaults(channelBody, { adSource: { url: 'x', headers, params } }))).toEqual({
    '/adSource/headers': 'must have at most 50 fields, has 51',
    '/adSource/params/a': 'must be a string; got 1',
    '/adSource/params/b\nc': 'must be a string; got true',
    '/adSource/params/d': 'must have at most 4096 characters, has 4097',
  });
});

test('the faults of a hostile body are bounded', () => {
  const contents = Array.from({ length: 1000 }, () => ({ sourceType: 1, x: 1, y: 2 }));
  const { length } = schemaFaults(playlistBody, { contents });
  expect(length).toBeGreaterThan(500);
  expect(length).toBeLessThanOrEqual(1000);
});

test('queries are read as numbers, with their defaults', () => {
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
])('%j is refused', (query, dataPath) => {
  try {
    readQuery(pageQuery, query);
    expect.unreachable();
  } catch (error) {
    expect(error).toMatchObject({ status: 422, data: [{ dataPath }] });
  }
});
