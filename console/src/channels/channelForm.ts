// SPDX-License-Identifier: Apache-2.0
// A channel as the fields of a form, which are mostly text, and back.

import type { ChannelBody, ChannelResponse } from '../../../src/http/contract/channelContract.ts';
import { channelDefaults } from '../../../src/http/contract/channelValues.ts';
import type { FieldError } from '../api/apiError.ts';
import type { FormFields } from '../components/forms/formFields.ts';
import { formatNameValueLines, parseNameValueLines } from '../components/forms/nameValueLines.ts';
import { patchBetween } from '../components/forms/patchBetween.ts';
import { givenOnly } from '../format/givenOnly.ts';

type Body = Required<ChannelBody>;
export type ChannelType = Body['type'];
/** The JSON Pointer of a setting in requests, responses and errors. */
type Pointer =
  | `/${keyof Body}`
  | `/adSource/${keyof Body['adSource']}`
  | `/bumpers/${keyof Body['bumpers']}`
  | `/preroll/${keyof Body['preroll']}`;

type Setting<Value> = {
  readonly path: Pointer;
  /** Other channels do not have the setting; undefined for all. */
  readonly types: readonly ChannelType[] | undefined;
  read(stored: unknown): Value;
  /** @returns undefined for what is not sent */
  write(value: Value): unknown;
};

/** SCTE-35 lists its types in hexadecimal. */
const hex = (type: number): string => `0x${type.toString(16).padStart(2, '0')}`;
const filled = (value: string): string | undefined => (value.trim() === '' ? undefined : value.trim());
/** Sends an invalid number as text, so that the server reports what is wrong with it. */
const numberOf = (value: string): number | string => (Number.isNaN(Number(value)) ? value : Number(value));
const unlessEmpty = <T>(values: readonly T[]): readonly T[] | undefined => (values.length === 0 ? undefined : values);

const text = (path: Pointer, types?: readonly ChannelType[]): Setting<string> => ({
  path,
  types,
  read: (stored) => (stored === undefined ? '' : String(stored)),
  write: filled,
});
const number = (path: Pointer, types?: readonly ChannelType[]): Setting<string> => ({
  ...text(path, types),
  write: (value) => (filled(value) === undefined ? undefined : numberOf(value.trim())),
});
/** One of several values. Selects have text, so flags are `true` and `false`. */
const choice = <Value extends string>(
  path: Pointer,
  initial: Value,
  types?: readonly ChannelType[],
): Setting<Value> => ({
  path,
  types,
  read: (stored) => (stored === undefined ? initial : (String(stored) as Value)),
  write: (value) => value,
});
const flag = (path: Pointer, initial: boolean): Setting<string> => ({
  ...choice<string>(path, String(initial)),
  write: (value) => value === 'true',
});
/** Rows that were left empty are not sent. */
const list = (path: Pointer, types?: readonly ChannelType[]): Setting<readonly string[]> => ({
  path,
  types,
  read: (stored) => (stored ?? []) as readonly string[],
  write: (rows) => unlessEmpty(rows.flatMap((row) => filled(row) ?? [])),
});
const nameValues = (path: Pointer): Setting<string> => ({
  ...text(path),
  read: (stored) => formatNameValueLines(stored as Readonly<Record<string, string>> | undefined),
  write: parseNameValueLines,
});
/** Is not sent with its default. */
const unlessDefault = <Value extends string>(setting: Setting<Value>): Setting<Value> => ({
  ...setting,
  write: (value) => (value === setting.read(undefined) ? undefined : setting.write(value)),
});

const linear = ['vod2live', 'live'] as const;
const vod = ['vod'] as const;
const live = ['live'] as const;

const settings = {
  id: text('/id'),
  name: text('/name'),
  type: choice<ChannelType>('/type', channelDefaults.type),
  playlistId: text('/playlistId'),
  apiKey: text('/apiKey'),
  signingSecret: text('/signingSecret'),
  labels: list('/labels'),
  systemId: text('/systemId'),
  adUrl: text('/adSource/url'),
  adMethod: unlessDefault(choice<NonNullable<Body['adSource']['method']>>('/adSource/method', channelDefaults.method)),
  adTimeout: number('/adSource/timeoutMs'),
  adHeaders: nameValues('/adSource/headers'),
  adParams: nameValues('/adSource/params'),
  adLabels: list('/adSource/labels'),
  slate: text('/adSlateManifestUrl', linear),
  intro: text('/bumpers/intro'),
  outro: text('/bumpers/outro'),
  fillThreshold: number('/fillThreshold'),
  repeats: choice<Body['repeats']>('/repeats', channelDefaults.repeats),
  breakDuration: number('/breakDuration'),
  tracking: choice<Body['tracking']>('/tracking', channelDefaults.tracking),
  announceAds: flag('/announceAds', channelDefaults.announceAds),
  insertion: unlessDefault(choice<Body['insertion']>('/insertion', channelDefaults.insertion)),
  markersOut: unlessDefault(choice<Body['markersOut']>('/markersOut', channelDefaults.markersOut, linear)),
  markersOutAhead: number('/markersOutAhead', linear),
  confirmations: flag('/confirmations', channelDefaults.confirmations),
  playlistSize: number('/playlistSize', linear),
  timeShiftWindow: number('/timeShiftWindow', linear),
  deltaUpdates: { ...unlessDefault(flag('/deltaUpdates', false)), types: linear },
  contentHosts: list('/contentHosts', vod),
  breakSource: choice<Body['breakSource']>('/breakSource', channelDefaults.breakSource, vod),
  vodBudgetMs: number('/vodBudgetMs', vod),
  resumePolicy: choice<Body['resumePolicy']>('/resumePolicy', channelDefaults.resumePolicy, vod),
  sourceManifestUrl: text('/sourceManifestUrl', live),
  sourceDashUrl: text('/sourceDashUrl', live),
  /** Backup origins, in their order. */
  backupUrls: list('/backupManifestUrls', live),
  prefetch: unlessDefault(choice<Body['prefetch']>('/prefetch', channelDefaults.prefetch, live)),
  prerollDuration: number('/preroll/maxDuration', live),
  prerollAds: number('/preroll/maxAds', live),
  breakFill: choice<Body['breakFill']>('/breakFill', channelDefaults.breakFill, live),
  maxBreakDuration: number('/maxBreakDuration', live),
  markers: choice<Body['markers']>('/markers', channelDefaults.markers, live),
  segmentationTypes: {
    ...text('/segmentationTypes', live),
    read: (stored: unknown) => ((stored ?? []) as readonly number[]).map(hex).join(', '),
    write: (value: string) => unlessEmpty(value.split(/[\s,]+/).flatMap((each) => (each === '' ? [] : numberOf(each)))),
  },
};

export type ChannelForm = { readonly [Name in keyof typeof settings]: ReturnType<(typeof settings)[Name]['read']> };
/** The props of each part of the form. */
export type SettingProps = FormFields<ChannelForm> & {
  readonly form: ChannelForm;
  readonly errors: readonly FieldError[];
  set(changed: Partial<ChannelForm>): void;
};

/** Where the API reports errors of a setting. */
export const pathOf = (name: keyof ChannelForm): string => settings[name].path;

const entries = Object.entries(settings) as [keyof ChannelForm, Setting<unknown>][];
type Fields = Readonly<Record<string, unknown>>;

export const toForm = (channel: Partial<ChannelResponse>): ChannelForm =>
  Object.fromEntries(
    entries.map(([name, { path, read }]) => {
      const stored = path
        .split('/')
        .slice(1)
        .reduce<unknown>((within, key) => (within as Fields | undefined)?.[key], channel);
      return [name, read(stored)];
    }),
  ) as ChannelForm;

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

/** Contains only the settings of the channel's type that the form has; empty fields are omitted. */
export function fromForm(form: ChannelForm): Partial<ChannelBody> {
  const body: Record<string, unknown> = {};
  for (const [name, { path, types, write }] of entries) {
    // Without a URL, there is no ad server.
    if (types?.includes(form.type) === false || (path.startsWith('/adSource/') && filled(form.adUrl) === undefined))
      continue;
    const value = write(form[name]);
    if (value === undefined) continue;
    const [, field = '', inner] = path.split('/');
    body[field] = inner === undefined ? value : { ...(body[field] as Fields | undefined), [inner]: value };
  }
  return body as Partial<ChannelBody>;
}

/** The origins of a live channel. */
export function liveSources(form: ChannelForm) {
  const { sourceManifestUrl, sourceDashUrl, backupManifestUrls, segmentationTypes } = fromForm({
    ...form,
    type: 'live',
  });
  return givenOnly({ sourceManifestUrl, sourceDashUrl, backupManifestUrls, segmentationTypes });
}

/** What an edit changes, as a merge patch. A change of the type keeps the settings that only the previous type has. */
export function channelPatch(stored: ChannelForm, edited: ChannelForm): Record<string, unknown> {
  const { type } = edited;
  return {
    ...(type === stored.type ? {} : { type }),
    ...patchBetween(fromForm({ ...stored, type }), fromForm(edited)),
  };
}
