// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { flicks } from '../../time/units.ts';
import type { MpdPeriod, MpdRepresentation } from '../mpd.ts';
import { matchRepresentations } from './matchRepresentations.ts';

const representation = (id: string, more: Partial<MpdRepresentation>): MpdRepresentation => ({
  id,
  where: `<${id}>`,
  line: 1,
  kind: 'video',
  container: 'fmp4',
  codecs: 'avc1.64001f',
  isDefault: false,
  roles: [],
  protection: [],
  segments: { kind: 'indexed', url: 'x', timescale: 1, presentationTimeOffset: 0 },
  ...more,
});
const video = (id: string, bandwidth: number, height?: number): MpdRepresentation =>
  representation(id, { bandwidth, ...(height && { height }) });
const audio = (id: string, language: string, codecs = 'mp4a.40.2'): MpdRepresentation =>
  representation(id, { kind: 'audio', language, codecs });
const periods = (...all: MpdRepresentation[][]): MpdPeriod[] =>
  all.map((representations, index) => ({
    where: `Period ${index + 1}`,
    isFirst: true,
    isLast: true,
    start: flicks(0),
    representations,
  }));
const ids = (...all: MpdRepresentation[][]) => {
  const { matches, warnings } = matchRepresentations(periods(...all));
  return {
    rows: matches.map((match) => match.map(({ id }) => id).join()),
    left: warnings.map((one) => /<(\w+)>/.exec(one)?.[1]),
  };
};

describe('matchRepresentations', () => {
  it('matches by id where kind and codec agree', () => {
    expect(ids([video('1', 100), video('2', 200)], [video('2', 900), video('1', 800)]).rows).toEqual(['1,1', '2,2']);
    expect(ids([video('1', 100), audio('2', 'en')], [audio('1', 'en'), video('2', 100)]).rows).toEqual(['1,2', '2,1']);
  });

  it('matches by language and codec, then by bandwidth', () => {
    const first = [video('hi', 300), video('lo', 100), audio('en', 'en'), audio('sv', 'sv')];
    const second = [audio('x', 'sv'), video('b', 90), audio('y', 'en'), video('a', 310)];
    expect(ids(first, second).rows).toEqual(['hi,a', 'lo,b', 'en,y', 'sv,x']);
  });

  it('matches the nearest qualities and skips what is not in every Period', () => {
    const full = [video('1080', 5000, 1080), video('720', 3000, 720), video('360', 800, 360)];
    expect(ids(full, [video('a', 2900, 720), video('b', 700, 360)])).toEqual({
      rows: ['720,a', '360,b'],
      left: ['1080'],
    });
    expect(ids([video('a', 2900, 720)], full)).toEqual({ rows: ['a,720'], left: ['1080', '360'] });
    expect(ids(full, full, [video('x', 800, 360)]).rows).toEqual(['360,360,x']);
  });

  it('matches the only audio in spite of another language, but not text', () => {
    expect(ids([audio('a', 'en')], [audio('b', 'und', 'ec-3')]).rows).toEqual([]);
    expect(ids([audio('a', 'en')], [audio('b', 'und')]).rows).toEqual(['a,b']);
    const text = (id: string, language: string) => representation(id, { kind: 'text', codecs: 'stpp', language });
    expect(ids([text('a', 'en')], [text('b', 'sv')])).toEqual({ rows: [], left: ['a', 'b'] });
  });

  it('returns every Representation of a single Period', () => {
    expect(ids([video('a', 1), audio('b', 'en')])).toEqual({ rows: ['a', 'b'], left: [] });
    expect(ids()).toEqual({ rows: [], left: [] });
  });
});
