// SPDX-License-Identifier: Apache-2.0
// A channel as the fields of a form, which are all text, and back.
import type { ChannelBody, ChannelResponse } from '../../../../src/http/channelContract.ts';
import { formatNameValueLines, parseNameValueLines } from '../forms/nameValueLines.ts';

type AdSource = NonNullable<ChannelBody['adSource']>;
export type TextSetting =
  | keyof Pick<ChannelBody, 'id' | 'name' | 'playlistId' | 'apiKey' | 'signingSecret' | 'fillThreshold' | 'systemId'>
  | keyof Pick<ChannelBody, 'playlistSize' | 'timeShiftWindow' | 'announceAds' | 'confirmations'>
  | keyof NonNullable<ChannelBody['bumpers']>
  | 'adUrl'
  | 'adTimeout'
  | 'adHeaders'
  | 'adParams'
  | 'slate';

export type AdMethod = NonNullable<AdSource['method']>;
export type Repeats = NonNullable<ChannelBody['repeats']>;
export type Tracking = NonNullable<ChannelBody['tracking']>;
export type ChannelForm = Readonly<Record<TextSetting, string>> & {
  readonly adMethod: AdMethod;
  readonly repeats: Repeats;
  readonly tracking: Tracking;
};

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
    tracking: channel.tracking ?? 'server',
    announceAds: String(channel.announceAds ?? true),
    confirmations: String(channel.confirmations ?? false),
    systemId: channel.systemId ?? '',
  };
}

/** Edits on top of a newer version of the channel: fields that were not edited take the newer value. */
export const rebase = (edited: ChannelForm, base: ChannelForm, latest: ChannelForm): ChannelForm =>
  Object.fromEntries(
    Object.entries(latest).map(([name, value]) => {
      const field = name as keyof ChannelForm;
      return [name, edited[field] === base[field] ? value : edited[field]];
    }),
  ) as ChannelForm;

const filled = (value: string): string | undefined => (value.trim() === '' ? undefined : value.trim());
/** Sends an invalid number as text, so that the server reports what is wrong with it. */
const number = (value: string): number | undefined => {
  const given = filled(value);
  if (given === undefined) return undefined;
  return Number.isNaN(Number(given)) ? (given as unknown as number) : Number(given);
};
const withoutEmpty = <T extends object>(fields: T): T | undefined => {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined);
  return kept.length === 0 ? undefined : (Object.fromEntries(kept) as T);
};

/** Contains only the settings that the form has; empty fields are omitted. */
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
    adSlateManifestUrl: filled(form.slate),
    bumpers: withoutEmpty({ intro: filled(form.intro), outro: filled(form.outro) }),
    fillThreshold: number(form.fillThreshold),
    repeats: form.repeats,
    playlistSize: number(form.playlistSize),
    timeShiftWindow: number(form.timeShiftWindow),
    tracking: form.tracking,
    announceAds: form.announceAds === 'true',
    confirmations: form.confirmations === 'true',
    systemId: filled(form.systemId),
  }) ?? {}) as Partial<ChannelBody>;
}
