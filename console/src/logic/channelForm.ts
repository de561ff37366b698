// A channel as the fields of a form, all of them text, and back.
import type { ChannelAnswer, ChannelBody } from '../../../src/http/contract.ts';
import { readPairs, writePairs } from './pairs.ts';

export type ChannelForm = {
  readonly id: string;
  readonly name: string;
  readonly playlistId: string;
  readonly apiKey: string;
  readonly signingSecret: string;
  readonly adUrl: string;
  readonly adMethod: string;
  readonly adTimeout: string;
  readonly adHeaders: string;
  readonly adParams: string;
  readonly slate: string;
  readonly intro: string;
  readonly outro: string;
  readonly fillThreshold: string;
  readonly repeats: string;
  readonly playlistSize: string;
  readonly timeShiftWindow: string;
  readonly tracking: string;
  readonly announceAds: string;
  readonly confirmations: string;
  readonly systemId: string;
};

const text = (value: number | undefined): string => (value === undefined ? '' : String(value));

export function toForm(channel: Partial<ChannelAnswer>): ChannelForm {
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
    adHeaders: writePairs(adSource?.headers),
    adParams: writePairs(adSource?.params),
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

/** What somebody has typed, on what the channel says now: fields that were not touched follow it. */
export const rebase = (edited: ChannelForm, was: ChannelForm, is: ChannelForm): ChannelForm =>
  Object.fromEntries(
    Object.entries(is).map(([name, value]) => {
      const field = name as keyof ChannelForm;
      return [name, edited[field] === was[field] ? value : edited[field]];
    }),
  ) as ChannelForm;

const some = (value: string): string | undefined => (value.trim() === '' ? undefined : value.trim());
/** What is no number is sent as it is: the interface says what is wrong with it. */
const number = (value: string): number | undefined => {
  const given = some(value);
  if (given === undefined) return undefined;
  return Number.isNaN(Number(given)) ? (given as unknown as number) : Number(given);
};
const without = <T extends object>(fields: T): T | undefined => {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined);
  return kept.length === 0 ? undefined : (Object.fromEntries(kept) as T);
};

/** Only what the form knows; what it leaves empty is missing. */
export function fromForm(form: ChannelForm): Partial<ChannelBody> {
  const url = some(form.adUrl);
  const adSource =
    url === undefined
      ? undefined
      : without({
          url,
          method: form.adMethod === 'GET' ? undefined : form.adMethod,
          timeoutMs: number(form.adTimeout),
          headers: readPairs(form.adHeaders),
          params: readPairs(form.adParams),
        });
  return (without({
    id: some(form.id),
    name: some(form.name),
    playlistId: some(form.playlistId),
    apiKey: some(form.apiKey),
    signingSecret: some(form.signingSecret),
    adSource,
    adSlateManifestUrl: some(form.slate),
    bumpers: without({ intro: some(form.intro), outro: some(form.outro) }),
    fillThreshold: number(form.fillThreshold),
    repeats: form.repeats,
    playlistSize: number(form.playlistSize),
    timeShiftWindow: number(form.timeShiftWindow),
    tracking: form.tracking,
    announceAds: form.announceAds === 'true',
    confirmations: form.confirmations === 'true',
    systemId: some(form.systemId),
  }) ?? {}) as Partial<ChannelBody>;
}
