// SPDX-License-Identifier: Apache-2.0
// The form of a try, and the body of its request.
import type { TryBody } from '../../../src/platform/tries/contract/tryContract.ts';
import type { Right } from '../api/lackingRight.ts';
import { parseNameValueLines } from '../components/forms/nameValueLines.ts';

export type TryFormat = 'both' | NonNullable<TryBody['format']>;

export const emptyForm = {
  url: '',
  /** The id of an ad source; empty for all steps. */
  source: '',
  /** One `name: value` per line. */
  parameters: '',
  userAgent: '',
  address: '',
  breakDuration: '',
  maxAds: '',
  format: 'both' as TryFormat,
  isPreparing: false,
};
export type TryForm = Readonly<typeof emptyForm>;

/** A comma may separate decimals. Text that is not a number is sent as NaN is: `null`, which the API rejects. */
const numberOf = (text: string): number => Number(text.trim().replace(',', '.'));

const isSaved = (url: string, savedUrl: string | undefined): boolean => url.trim() === '' || url.trim() === savedUrl;

/** Another tag gets the headers of the channel's requests, which may contain a credential. */
export const rightToTry = ({ url }: Pick<TryForm, 'url'>, savedUrl: string | undefined): Right =>
  isSaved(url, savedUrl) ? 'operate' : 'manage';

/** @param savedUrl of the channel: it is tried with the secrets that it has */
export function tryBodyOf(form: TryForm, savedUrl: string | undefined): TryBody {
  const { format, isPreparing } = form;
  const [url, userAgent, address] = [form.url.trim(), form.userAgent.trim(), form.address.trim()];
  const parameters = parseNameValueLines(form.parameters);
  return {
    ...(isSaved(url, savedUrl) ? {} : { url }),
    ...(form.source === '' ? {} : { source: form.source }),
    ...(parameters === undefined ? {} : { parameters }),
    ...(userAgent === '' ? {} : { userAgent }),
    ...(address === '' ? {} : { address }),
    ...(form.breakDuration.trim() === '' ? {} : { breakDuration: numberOf(form.breakDuration) }),
    ...(form.maxAds.trim() === '' ? {} : { maxAds: numberOf(form.maxAds) }),
    ...(format === 'both' ? {} : { format }),
    ...(isPreparing ? { prepare: true } : {}),
  };
}
