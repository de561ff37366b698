// SPDX-License-Identifier: Apache-2.0
// A channel as the fields of a form, which are mostly text, and back.

import type { ChannelBody, ChannelResponse } from '../../../src/http/contract/channelContract.ts';
import { channelDefaults } from '../../../src/http/contract/channelValues.ts';
import type { FieldError } from '../api/apiError.ts';
import type { FormFields } from '../components/forms/formFields.ts';
import { patchBetween } from '../components/forms/patchBetween.ts';
import {
  type FormOf,
  filled,
  filledNumber,
  numberOf,
  readForm,
  type Setting,
  settingsOf,
  unlessDefault,
  unlessEmpty,
  writeForm,
} from '../components/forms/settings.ts';
import { givenOnly } from '../format/givenOnly.ts';
import { type StepRows, stepRows, stepsOf } from './adSteps.ts';

type Body = Required<ChannelBody>;
export type ChannelType = Body['type'];
/** The JSON Pointer of a setting in requests, responses and errors. */
type Pointer =
  | `/${keyof Body}`
  | `/adSource/${keyof Body['adSource']}`
  | `/adRules/${keyof Body['adRules']}`
  | `/adHooks/${keyof Body['adHooks']}`
  | `/bumpers/${keyof Body['bumpers']}`
  | `/preroll/${keyof Body['preroll']}`;

const { text, number, choice, flag, list, lines, nameValues } = settingsOf<Pointer, ChannelType>();

/** SCTE-35 lists its types in hexadecimal. */
const hex = (type: number): string => `0x${type.toString(16).padStart(2, '0')}`;

type Separation = 'no' | NonNullable<Body['adRules']['separateAdvertisers']>;
/** Where ads come from. It is not sent itself: a channel with steps has them. */
const demand: Setting<'server' | 'steps'> = {
  path: '/adSteps',
  types: undefined,
  read: (stored) => (stored === undefined ? 'server' : 'steps'),
  write: () => undefined,
};
const adSteps: Setting<StepRows> = { path: '/adSteps', types: undefined, read: stepRows, write: stepsOf };
/** A limit of ads for a viewer, as text. */
export type CapRow = { readonly per: string; readonly max: string; readonly hours: string };
const frequencyCaps: Setting<readonly CapRow[]> = {
  path: '/adRules/frequencyCaps',
  types: undefined,
  read: (stored) =>
    ((stored ?? []) as NonNullable<Body['adRules']['frequencyCaps']>).map(({ per, max, hours }) => ({
      per,
      max: String(max),
      hours: String(hours),
    })),
  write: (rows) =>
    unlessEmpty(rows.map(({ per, max, hours }) => ({ per, max: filledNumber(max), hours: filledNumber(hours) }))),
};

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
  demand,
  adSteps,
  adBudget: number('/adBudgetMs'),
  separateAdvertisers: unlessDefault(choice<Separation>('/adRules/separateAdvertisers', 'no')),
  separateCategories: unlessDefault(choice<Separation>('/adRules/separateCategories', 'no')),
  maxPerAdvertiser: number('/adRules/maxPerAdvertiser'),
  frequencyCaps,
  viewerParameter: text('/adRules/viewerParameter'),
  // Names of advertisers contain commas.
  blockedAdvertisers: lines('/adRules/blockedAdvertisers'),
  blockedCategories: lines('/adRules/blockedCategories', /[\s,]+/),
  blockedCreatives: lines('/adRules/blockedCreatives'),
  blockedLanguages: lines('/adRules/blockedLanguages', /[\s,]+/),
  hookRequestUrl: text('/adHooks/requestUrl'),
  hookAdsUrl: text('/adHooks/adsUrl'),
  hookTimeout: number('/adHooks/timeoutMs'),
  hookSecret: text('/adHooks/secret'),
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

export type ChannelForm = FormOf<typeof settings>;
/** The props of each part of the form. */
export type SettingProps = FormFields<ChannelForm> & {
  readonly form: ChannelForm;
  readonly errors: readonly FieldError[];
  set(changed: Partial<ChannelForm>): void;
};

/** Where the API reports errors of a setting. */
export const pathOf = (name: keyof ChannelForm): string => settings[name].path;

export const toForm = (channel: Partial<ChannelResponse>): ChannelForm => readForm(settings, channel);

/** Contains only the settings of the channel's type that the form has; empty fields are omitted. */
export const fromForm = (form: ChannelForm): Partial<ChannelBody> =>
  writeForm(settings, form, (path) => {
    // Without a URL, there is no ad server.
    if (path.startsWith('/adSource/')) return form.demand === 'server' && filled(form.adUrl) !== undefined;
    return form.demand === 'steps' || (path !== '/adSteps' && path !== '/adBudgetMs');
  });

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
