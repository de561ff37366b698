// Measurements as documents of an index. What was counted lies in one document; of what was timed, each bin is a document
// of its own, so that bins add up like everything else. Documents have names of their own: who brings them again changes
// nothing.
import { createHash } from 'node:crypto';
import type { Batch, Measurement } from '../../reports/ports.ts';

export type SearchDocument = {
  readonly index: string;
  readonly id: string;
  readonly source: object;
  /** It takes the place of one with a lower version, or the same; without it the first one stays. */
  readonly version?: number;
};

/** Indices are of a day, so that an operator lets go of old ones by dropping indices. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10).replaceAll('-', '.');

/** Names of documents are bounded. */
const shortened = (id: string): string =>
  Buffer.byteLength(id) <= 256 ? id : createHash('sha256').update(id).digest('hex');

/** @param at when the batch is brought, milliseconds: of two levels in a stretch the later is right */
export function documentsOf({ id, system, measurements }: Batch, index: string, at: number): SearchDocument[] {
  const batch = shortened(id);
  return measurements.flatMap((measurement, number): SearchDocument[] => {
    const common = commonOf(system, measurement);
    const place = { index: `${index}-${dayOf(measurement.at)}` };
    const counted = {
      ...place,
      id: `${batch}-${number}`,
      source: { ...common, kind: 'amounts', order: at * 1000 + Math.min(number, 999), amounts: measurement.amounts },
    };
    const timed = Object.entries(measurement.bins ?? {}).map(([bin, count]) => ({
      ...place,
      id: `${batch}-${number}-${bin}`,
      source: { ...common, kind: 'bin', bin: Number(bin), count },
    }));
    return [counted, ...timed];
  });
}

const commonOf = (system: string, { report, channel, at, keys }: Measurement) => ({
  '@timestamp': new Date(at).toISOString(),
  system,
  report,
  ...(channel === '' ? {} : { channel }),
  ...keys,
});

const keyword = { type: 'keyword', ignore_above: 8000 };

/** The index template: every index of a day is made after it. */
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
        system: keyword,
        report: keyword,
        kind: keyword,
        channel: keyword,
        creative: keyword,
        host: keyword,
        adServer: keyword,
        reason: keyword,
        order: { type: 'long' },
        amounts: { type: 'object', dynamic: true },
        peaks: { type: 'object', dynamic: true },
        bin: { type: 'integer' },
        count: { type: 'long' },
      },
    },
  },
});
