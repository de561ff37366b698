// SPDX-License-Identifier: Apache-2.0
// Converts measurements to documents of an index: the counts of a measurement are one, and each bin of its histogram is one, so
// that aggregations can add bins up. Document ids are deterministic, so writing again has no effect.
import { createHash } from 'node:crypto';
import type { Batch, Measurement } from '../../rules/ports.ts';

export type SearchDocument = {
  readonly index: string;
  readonly id: string;
  readonly source: object;
  /** Replaces a document with the same or a lower version. Without a version, the first document stays. */
  readonly version?: number;
};

/** The suffix of an index: one per day, so that operators can remove old data by deleting indices. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10).replaceAll('-', '.');

/** Document ids are limited to 512 bytes. */
const shortened = (id: string): string =>
  Buffer.byteLength(id) <= 256 ? id : createHash('sha256').update(id).digest('hex');

/** @param at the time of the write in milliseconds: of two levels in an interval, the later one counts */
export function documentsOf({ id, system, measurements }: Batch, index: string, at: number): SearchDocument[] {
  const batch = shortened(id);
  return measurements.flatMap((measurement, number): SearchDocument[] => {
    const common = commonOf(system, measurement);
    const place = { index: `${index}-${dayOf(measurement.at)}` };
    const counts = {
      ...place,
      id: `${batch}-${number}`,
      source: { ...common, kind: 'amounts', order: at * 1000 + Math.min(number, 999), amounts: measurement.amounts },
    };
    const bins = Object.entries(measurement.bins ?? {}).map(([bin, count]) => ({
      ...place,
      id: `${batch}-${number}-${bin}`,
      source: { ...common, kind: 'bin', bin: Number(bin), count },
    }));
    return [counts, ...bins];
  });
}

const commonOf = (system: string, { report, channel, at, keys }: Measurement) => ({
  '@timestamp': new Date(at).toISOString(),
  system,
  report,
  ...(channel === '' ? {} : { channel }),
  ...keys,
});

const keywords = ['system', 'report', 'kind', 'channel', 'creative', 'host', 'adServer', 'reason', 'source'];

/** The index template of the daily indices. */
export const indexTemplate = (index: string) => ({
  index_patterns: [`${index}-*`],
  priority: 300,
  template: {
    settings: { index: { number_of_shards: 1, refresh_interval: '5s' } },
    mappings: {
      dynamic: false,
      dynamic_templates: [
        { amounts: { path_match: 'amounts.*', mapping: { type: 'long' } } },
        { peaks: { path_match: 'peaks.*', mapping: { type: 'long' } } },
      ],
      properties: {
        '@timestamp': { type: 'date' },
        ...Object.fromEntries(keywords.map((name) => [name, { type: 'keyword', ignore_above: 8000 }])),
        order: { type: 'long' },
        amounts: { type: 'object', dynamic: true },
        peaks: { type: 'object', dynamic: true },
        bin: { type: 'integer' },
        count: { type: 'long' },
      },
    },
  },
});
