// SPDX-License-Identifier: Apache-2.0
// The channels of a list: which match the filters, and in which order.
import type { OnAirChannel } from '../../../src/http/contract/consoleContract.ts';
import type { ChannelProblem } from '../../../src/http/contract/statusContract.ts';
import { labelsIn } from '../components/pickers/labelRules.ts';
import { sortRows } from '../components/table/columns.ts';
import { channelHealth, problemsOf, sortByHealth } from './channelHealth.ts';

/** With the share of the break time of the last hour that ads filled. */
export type ChannelRow = OnAirChannel & { readonly fillRate: number | undefined };

export const stateNames = {
  'on-air': 'On air',
  preparing: 'Preparing',
  failed: 'Failed',
  disabled: 'Off air',
} as const;
export type StateName = keyof typeof stateNames;

export const problemNames: Readonly<Record<ChannelProblem['kind'] | 'any', string>> = {
  any: 'Any problem',
  'ad-server': 'Ad server',
  creative: 'Creatives',
  state: 'Playback',
};

export const typeNames: Readonly<Record<OnAirChannel['type'], string>> = {
  vod2live: 'Linear',
  live: 'Live',
  vod: 'VoD',
};

/** The parameters of the address. */
export const noFilters = { q: '', state: '', problem: '', type: '', label: '', playlist: '' };
export type ChannelFilters = { readonly [Name in keyof typeof noFilters]: string };

export const isFiltered = (filters: ChannelFilters): boolean =>
  (Object.keys(noFilters) as (keyof ChannelFilters)[]).some((name) => filters[name] !== '');

const stateOf = (channel: OnAirChannel): StateName => {
  const health = channelHealth(channel);
  if (health === 'offAir') return 'disabled';
  return health === 'failed' || health === 'preparing' ? health : 'on-air';
};

export const labelsOf = ({ labels = [], adSourceLabels = [] }: OnAirChannel): readonly string[] => [
  ...labels,
  ...adSourceLabels.filter((label) => !labels.some((own) => own.toLowerCase() === label.toLowerCase())),
];

export function isMatching(channel: OnAirChannel, filters: ChannelFilters): boolean {
  const { q, state, problem, type, label, playlist } = filters;
  const text = q.trim().toLowerCase();
  const labels = labelsIn(label.toLowerCase());
  const problems = problemsOf(channel);
  return (
    (text === '' || [channel.id, channel.name].some((name) => name?.toLowerCase().includes(text))) &&
    (state === '' || stateOf(channel) === state) &&
    (problem === '' || problems.some(({ kind }) => problem === 'any' || kind === problem)) &&
    (type === '' || channel.type === type) &&
    (labels.length === 0 || labelsOf(channel).some((each) => labels.includes(each.toLowerCase()))) &&
    (playlist === '' || channel.playlistId === playlist)
  );
}

const values: Readonly<Record<string, (row: ChannelRow) => string | number | undefined>> = {
  name: ({ id, name }) => name || id,
  viewers: ({ viewers }) => viewers,
  fill: ({ fillRate }) => fillRate,
  break: ({ nextBreak }) => nextBreak?.startsAt,
  type: ({ type }) => typeNames[type],
};

/** What lists can be sorted by; those with problems are first by default. */
export const sortNames = {
  '': 'Problems first',
  name: 'Name',
  '-viewers': 'Most viewers',
  fill: 'Lowest fill',
  break: 'Next break',
} as const;

export const sortChannels = (rows: readonly ChannelRow[], sort: string): readonly ChannelRow[] =>
  sort === '' ? sortByHealth(rows) : sortRows(rows, sort, (row, field) => values[field]?.(row));
