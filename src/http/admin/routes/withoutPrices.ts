// SPDX-License-Identifier: Apache-2.0
// Traces, tries and replays as callers see them who may not see what ads cost: without prices, without the requests and responses
// of OpenRTB, which contain floors and bids, and with masked prices in VAST and in reasons.
import { MASK } from '../../../ads/request/maskSecrets.ts';
import { type Fields, isFields } from '../../../channels/fieldsOf.ts';
import { includesScope } from '../../../platform/access/rules/scope.ts';
import type { Caller } from '../request/route.ts';

/** `Pricing` (VAST 4.2 §3.9): its start tag, and its text. */
const PRICING = /(<(?:[\w-]{1,40}:)?Pricing\b[^<>]{0,400}>\s{0,100}(?:<!\[CDATA\[)?)[^<\]]{1,100}/gi;

/** A price that is invalid, in a warning. */
const INVALID = /\b((?:Pricing|price) must be [^;]{1,200}; got ).{1,200}/g;
/** `2.50 EUR` in a sentence. */
const AMOUNT = /(?<![\d.])\d{1,15}(?:\.\d{1,15})?(?:e-\d)? (?=([A-Z]{3})\b)/g;
const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
/** Fields with sentences. */
const sentences: ReadonlySet<string> = new Set(['text', 'warnings', 'changes']);

function maskPrices(text: string, name: string): string {
  const document = /pricing/i.test(text) ? text.replace(PRICING, `$1${MASK}`) : text;
  if (!sentences.has(name)) return document;
  return document
    .replace(INVALID, `$1${MASK}`)
    .replace(AMOUNT, (amount, currency: string) => (currencies.has(currency) ? `${MASK} ` : amount));
}

/** A source of a trace, or an exchange of a try. */
const isOpenRtb = ({ type, headers }: Fields): boolean =>
  type === 'openrtb' || (isFields(headers) && headers['x-openrtb-version'] !== undefined);

const texts: ReadonlySet<string> = new Set(['body', 'curl', 'raw', 'document']);

function hidden(value: unknown, hidesTexts: boolean, of = ''): unknown {
  if (typeof value === 'string') return maskPrices(value, of);
  if (Array.isArray(value)) return value.map((item) => hidden(item, hidesTexts, of));
  if (!isFields(value)) return value;
  const hides = hidesTexts || isOpenRtb(value);
  const shown = Object.entries(value).filter(
    ([name, field]) => !(name === 'price' && isFields(field)) && !(hides && texts.has(name)),
  );
  return Object.fromEntries(shown.map(([name, field]) => [name, hidden(field, hides, name)]));
}

/** @returns the response for callers with the scope `manage`, else a copy without prices */
export const withoutPrices = <Json>(json: Json, { scope }: Pick<Caller, 'scope'>): Json =>
  includesScope(scope, 'manage') ? json : (hidden(json, false) as Json);
