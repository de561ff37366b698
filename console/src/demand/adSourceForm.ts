// SPDX-License-Identifier: Apache-2.0
// An ad source as the fields of a form, which are mostly text, and back.
import type { AdSourceBody } from '../../../src/platform/adSources/contract/adSourceContract.ts';
import type { ApiRequest } from '../api/call.ts';
import { patchBetween } from '../components/forms/patchBetween.ts';
import {
  type FormOf,
  filled,
  filledNumber,
  readForm,
  type Setting,
  settingsOf,
  textOf,
  unlessDefault,
  unlessEmpty,
  writeForm,
} from '../components/forms/settings.ts';
import { givenOnly } from '../format/givenOnly.ts';
import type { AdSource, AdSourceType } from './sourceTypes.ts';

type Body = Required<AdSourceBody>;
type Path = `/${keyof Body}` | `/clientCertificate/${keyof Body['clientCertificate']}`;

const requested = ['vast', 'openrtb'] as const;
const vast = ['vast'] as const;
const openrtb = ['openrtb'] as const;
const { text, choice, number, list, nameValues } = settingsOf<Path, AdSourceType>();

/** Sent as it is if it is not JSON, so that the server reports it. */
const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
};
const template: Setting<string> = {
  ...text('/template', openrtb),
  read: (stored) => (stored === undefined ? '' : JSON.stringify(stored, null, 2)),
  write: (value) => (filled(value) === undefined ? undefined : parsed(value)),
};

/** A video of a house list, as text; times in ISO 8601. */
export type CreativeRow = Readonly<Record<'url' | 'title' | 'weight' | 'from' | 'to', string>>;
export const newCreative: CreativeRow = { url: '', title: '', weight: '', from: '', to: '' };
const creatives: Setting<readonly CreativeRow[]> = {
  path: '/creatives',
  types: ['house'],
  read: (stored) =>
    ((stored ?? []) as Body['creatives']).map(({ url, title, weight, from = '', to = '' }) => ({
      url,
      title,
      weight: textOf(weight),
      from,
      to,
    })),
  write: (rows) =>
    unlessEmpty(
      rows.map(({ url, title, weight, from, to }) => ({
        url: url.trim(),
        title: title.trim(),
        ...givenOnly({ weight: filledNumber(weight), from, to }),
      })),
    ),
};

const settings = {
  id: text('/id'),
  name: text('/name'),
  type: choice<AdSourceType>('/type', 'vast'),
  labels: list('/labels'),
  url: text('/url', requested),
  method: unlessDefault(choice<Body['method']>('/method', 'GET', vast)),
  params: nameValues('/params', vast),
  headers: nameValues('/headers', requested),
  timeout: number('/timeoutMs', requested),
  rate: number('/maxPerSecond', requested),
  template,
  currency: text('/currency', openrtb),
  floor: number('/floor', openrtb),
  floorPerSecond: number('/floorPerSecond', openrtb),
  /** Both are empty in what is read: they replace what is stored. */
  certificate: text('/clientCertificate/certificate', requested),
  key: text('/clientCertificate/key', requested),
  hosts: list('/clientCertificate/hosts', requested),
  /** `yes`: the stored certificate is removed. */
  removal: { path: '/clientCertificate', types: requested, read: () => '', write: () => undefined } as Setting<string>,
  creatives,
};

export type AdSourceForm = FormOf<typeof settings>;

/** Where the API reports errors of a setting. */
export const pathOf = (name: keyof AdSourceForm): string => settings[name].path;

export const toForm = (source: Partial<AdSource>): AdSourceForm => readForm(settings, source);

/** Contains only the settings of the source's type; empty fields are omitted. */
export const fromForm = (form: AdSourceForm) => writeForm(settings, form) as ApiRequest<'POST', '/ad-sources'>['body'];

/** What an edit changes, as a merge patch. Responses do not contain a certificate, so that without a new one, it is kept. */
export function sourcePatch(stored: AdSource, edited: AdSourceForm): Record<string, unknown> {
  const [before, after] = [toForm(stored), edited].map(fromForm).map((body) => ({ clientCertificate: {}, ...body }));
  const patch = patchBetween(before ?? {}, after ?? {});
  return edited.removal === '' ? patch : { ...patch, clientCertificate: null };
}

/** Why a text is not a JSON object; undefined if it is, or if it is empty. */
export function jsonFault(json: string): string | undefined {
  if (filled(json) === undefined) return undefined;
  const value = parsed(json);
  if (value === json) return faultOf(json);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : 'Must be a JSON object.';
}

function faultOf(json: string): string {
  try {
    JSON.parse(json);
    return 'Must be a JSON object.';
  } catch (error) {
    return `Not valid JSON: ${(error as Error).message}.`;
  }
}
