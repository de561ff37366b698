// SPDX-License-Identifier: Apache-2.0
// A channel as the fields of a form, which are all text, and back.
import type { ChannelBody, ChannelResponse } from '../../../src/http/contract/channelContract.ts';
import { mergePatch } from '../components/forms/mergePatch.ts';
import { formatNameValueLines, parseNameValueLines } from '../components/forms/nameValueLines.ts';

type AdSource = NonNullable<ChannelBody['adSource']>;
export type TextSetting =
  | keyof Pick<ChannelBody, 'id' | 'name' | 'playlistId' | 'apiKey' | 'signingSecret' | 'fillThreshold' | 'systemId'>
  | keyof Pick<ChannelBody, 'playlistSize' | 'timeShiftWindow' | 'deltaUpdates' | 'announceAds' | 'confirmations'>
  | keyof Pick<ChannelBody, 'breakDuration' | 'vodBudgetMs'>
  | keyof Pick<ChannelBody, 'sourceManifestUrl' | 'sourceDashUrl' | 'maxBreakDuration' | 'segmentationTypes'>
  | keyof NonNullable<ChannelBody['bumpers']>
  | 'prerollDuration'
  | 'prerollAds'
  | 'adUrl'
  | 'adTimeout'
  | 'adHeaders'
  | 'adParams'
  | 'slate';

export type AdMethod = NonNullable<AdSource['method']>;
export type Repeats = NonNullable<ChannelBody['repeats']>;
export type Tracking = NonNullable<ChannelBody['tracking']>;
export type ChannelType = NonNullable<ChannelBody['type']>;
export type BreakSource = NonNullable<ChannelBody['breakSource']>;
export type ResumePolicy = NonNullable<ChannelBody['resumePolicy']>;
export type BreakFill = NonNullable<ChannelBody['breakFill']>;
export type Markers = NonNullable<ChannelBody['markers']>;
export type Prefetch = NonNullable<ChannelBody['prefetch']>;
export type ChannelForm = Readonly<Record<TextSetting, string>> & {
  readonly type: ChannelType;
  readonly contentHosts: readonly string[];
  readonly breakSource: BreakSource;
  readonly resumePolicy: ResumePolicy;
  /** Backup origins of a live channel, in their order. */
  readonly backupUrls: readonly string[];
  readonly prefetch: Prefetch;
  readonly breakFill: BreakFill;
  readonly markers: Markers;
  readonly adMethod: AdMethod;
  readonly repeats: Repeats;
  readonly tracking: Tracking;
};

/** SCTE-35 lists its types in hexadecimal. */
const hex = (type: number): string => `0x${type.toString(16).padStart(2, '0')}`;
const text = (value: number | undefined): string => (value === undefined ? '' : String(value));

export function toForm(channel: Partial<ChannelResponse>): ChannelForm {
  const { adSource, bumpers } = channel;
  return {
    id: channel.id ?? '',
    name: channel.name ?? '',
    playlistId: channel.playlistId ?? '',
    apiKey: channel.apiKey ?? '',
    signingSecret: channel.signingSecret ?? '',
    adUrl: adSource?.url ?? '',
    adMethod: adSource?.method ?? 'GET',
    adTimeout: text(adSource?.timeoutMs),
    adHeaders: formatNameValueLines(adSource?.headers),
    adParams: formatNameValueLines(adSource?.params),
    slate: channel.adSlateManifestUrl ?? '',
    intro: bumpers?.intro ?? '',
    outro: bumpers?.outro ?? '',
    fillThreshold: text(channel.fillThreshold),
    repeats: channel.repeats ?? 'inPods',
    playlistSize: text(channel.playlistSize),
    timeShiftWindow: text(channel.timeShiftWindow),
    deltaUpdates: String(channel.deltaUpdates ?? false),
    tracking: channel.tracking ?? 'server',
    announceAds: String(channel.announceAds ?? true),
    confirmations: String(channel.confirmations ?? false),
    breakDuration: text(channel.breakDuration),
    vodBudgetMs: text(channel.vodBudgetMs),
    systemId: channel.systemId ?? '',
    type: channel.type ?? 'vod2live',
    contentHosts: channel.contentHosts ?? [],
    breakSource: channel.breakSource ?? 'auto',
    resumePolicy: channel.resumePolicy ?? 'play',
    sourceManifestUrl: channel.sourceManifestUrl ?? '',
    sourceDashUrl: channel.sourceDashUrl ?? '',
    backupUrls: channel.backupManifestUrls ?? [],
    prefetch: channel.prefetch ?? 'off',
    prerollDuration: text(channel.preroll?.maxDuration),
    prerollAds: text(channel.preroll?.maxAds),
    breakFill: channel.breakFill ?? 'slate',
    maxBreakDuration: text(channel.maxBreakDuration),
    markers: channel.markers ?? 'strip',
    segmentationTypes: (channel.segmentationTypes ?? []).map(hex).join(', '),
  };
}

/** Edits on top of a newer version of the channel: fields that were not edited take the newer value. */
export const rebase = (edited: ChannelForm, base: ChannelForm, latest: ChannelForm): ChannelForm =>
  Object.fromEntries(
    Object.entries(latest).map(([name, value]) => {
      const field = name as keyof ChannelForm;
      const isEdited = JSON.stringify(edited[field]) !== JSON.stringify(base[field]);
      return [name, isEdited ? edited[field] : value];
    }),
  ) as ChannelForm;

/** The one field that an edit changes; undefined for an edit of more than that. */
export function editedSetting(before: ChannelForm, after: ChannelForm): string | undefined {
  const names = (Object.keys(after) as (keyof ChannelForm)[]).filter((name) => before[name] !== after[name]);
  const [name, ...more] = names;
  if (name === undefined || more.length > 0) return undefined;
  const [from, to] = [before[name], after[name]];
  if (typeof from === 'string' || typeof to === 'string') return name;
  // The rows of a list, unless one was added, removed or moved.
  const rows = to.flatMap((row, index) => (row === from[index] ? [] : [index]));
  return from.length === to.length && rows.length === 1 ? `${name} ${rows[0]}` : undefined;
}

const filled = (value: string): string | undefined => (value.trim() === '' ? undefined : value.trim());
/** Sends an invalid number as text, so that the server reports what is wrong with it. */
const number = (value: string): number | undefined => {
  const given = filled(value);
  if (given === undefined) return undefined;
  return Number.isNaN(Number(given)) ? (given as unknown as number) : Number(given);
};
const numbers = (value: string): (number | undefined)[] | undefined => {
  const given = value.split(/[\s,]+/).filter((each) => each !== '');
  return given.length === 0 ? undefined : given.map(number);
};
/** Rows that were left empty are not sent. */
const list = (rows: readonly string[]): string[] | undefined => {
  const given = rows.flatMap((row) => filled(row) ?? []);
  return given.length === 0 ? undefined : given;
};
const withoutEmpty = <T extends object>(fields: T): T | undefined => {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined);
  return kept.length === 0 ? undefined : (Object.fromEntries(kept) as T);
};

/** The origins of a live channel. */
export const liveSources = (form: ChannelForm) => ({
  sourceManifestUrl: filled(form.sourceManifestUrl),
  sourceDashUrl: filled(form.sourceDashUrl),
  backupManifestUrls: list(form.backupUrls),
  segmentationTypes: numbers(form.segmentationTypes),
});

const windows = (form: ChannelForm) => ({
  playlistSize: number(form.playlistSize),
  timeShiftWindow: number(form.timeShiftWindow),
  deltaUpdates: form.deltaUpdates === 'true' ? true : undefined,
});

/** The settings that only channels of one type have. */
const settingsOfType: Readonly<
  Record<ChannelType, (form: ChannelForm) => Partial<Record<keyof ChannelBody, unknown>>>
> = {
  vod2live: (form) => ({
    adSlateManifestUrl: filled(form.slate),
    ...windows(form),
  }),
  vod: (form) => ({
    contentHosts: list(form.contentHosts),
    breakSource: form.breakSource,
    vodBudgetMs: number(form.vodBudgetMs),
    resumePolicy: form.resumePolicy,
  }),
  live: (form) => ({
    ...liveSources(form),
    prefetch: form.prefetch === 'off' ? undefined : form.prefetch,
    preroll: withoutEmpty({ maxDuration: number(form.prerollDuration), maxAds: number(form.prerollAds) }),
    breakFill: form.breakFill,
    maxBreakDuration: number(form.maxBreakDuration),
    markers: form.markers,
    adSlateManifestUrl: filled(form.slate),
    ...windows(form),
  }),
};

/** Contains only the settings of the channel's type that the form has; empty fields are omitted. */
export function fromForm(form: ChannelForm): Partial<ChannelBody> {
  const url = filled(form.adUrl);
  const adSource =
    url === undefined
      ? undefined
      : withoutEmpty({
          url,
          method: form.adMethod === 'GET' ? undefined : form.adMethod,
          timeoutMs: number(form.adTimeout),
          headers: parseNameValueLines(form.adHeaders),
          params: parseNameValueLines(form.adParams),
        });
  return (withoutEmpty({
    id: filled(form.id),
    name: filled(form.name),
    playlistId: filled(form.playlistId),
    apiKey: filled(form.apiKey),
    signingSecret: filled(form.signingSecret),
    adSource,
    type: form.type,
    bumpers: withoutEmpty({ intro: filled(form.intro), outro: filled(form.outro) }),
    fillThreshold: number(form.fillThreshold),
    repeats: form.repeats,
    breakDuration: number(form.breakDuration),
    tracking: form.tracking,
    announceAds: form.announceAds === 'true',
    confirmations: form.confirmations === 'true',
    systemId: filled(form.systemId),
    ...settingsOfType[form.type](form),
  }) ?? {}) as Partial<ChannelBody>;
}

/** What an edit changes, as a merge patch. A change of the type keeps the settings that only the previous type has. */
export function channelPatch(stored: ChannelForm, edited: ChannelForm): Record<string, unknown> {
  const { type } = edited;
  return {
    ...(type === stored.type ? {} : { type }),
    ...mergePatch(fromForm({ ...stored, type }), fromForm(edited)),
  };
}
