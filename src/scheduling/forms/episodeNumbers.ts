// SPDX-License-Identifier: Apache-2.0
// Season and episode as in XMLTV: counted from 0 in the system xmltv_ns, and for people in the system onscreen, which is the one
// of a number without a system (xmltv.dtd).
import { withoutUndefined } from '../../invariant.ts';
import type { EpisodeNumber, GuideFields } from '../schedule.ts';

type Numbers = Pick<GuideFields, 'season' | 'episode'>;

/** What season and episode are in the systems of XMLTV. */
function derived({ season, episode }: Numbers): EpisodeNumber[] {
  if (season === undefined && episode === undefined) return [];
  const fromZero = (number: number | undefined): string => (number === undefined ? '' : String(number - 1));
  const onScreen = (letter: string, number: number | undefined): string =>
    number === undefined ? '' : `${letter}${String(number).padStart(2, '0')}`;
  return [
    { system: 'xmltv_ns', value: `${fromZero(season)}.${fromZero(episode)}.` },
    { system: 'onscreen', value: `${onScreen('S', season)}${onScreen('E', episode)}` },
  ];
}

const systemOf = ({ system = 'onscreen' }: EpisodeNumber): string => system;

/** The numbers of a programme: its own, and those of its season and episode in systems that it has no number in. */
export function writtenNumbers(fields: GuideFields): readonly EpisodeNumber[] {
  const { episodeNumbers = [] } = fields;
  const systems = new Set(episodeNumbers.map(systemOf));
  return [...derived(fields).filter((number) => !systems.has(systemOf(number))), ...episodeNumbers];
}

const XMLTV_NS = /^(\d{1,6})?(?:\/\d+)?\.(\d{1,6})?(?:\/\d+)?(?:\.|$)/;
const ON_SCREEN = /^(?:S(\d{1,6}))?(?:E(\d{1,6}))?$/i;

/** The season and episode that numbers state, and the numbers that these do not express. */
export function readNumbers(numbers: readonly EpisodeNumber[]): GuideFields {
  const ofSystem = (system: string, pattern: RegExp): readonly (number | undefined)[] => {
    const number = numbers.find((one) => systemOf(one) === system);
    const [, season, episode] = pattern.exec(number?.value.replace(/\s+/g, '') ?? '') ?? [];
    return [season, episode].map((digits) => (digits === undefined ? undefined : Number(digits)));
  };
  const fromZero = ofSystem('xmltv_ns', XMLTV_NS).map((number) => (number === undefined ? undefined : number + 1));
  const [season, episode] = fromZero.some(Boolean) ? fromZero : ofSystem('onscreen', ON_SCREEN);
  const read = withoutUndefined({ season, episode });
  const expressed = derived(read);
  const others = numbers.filter(
    ({ system, value }) => !expressed.some((one) => one.system === system && one.value === value),
  );
  return others.length === 0 ? read : { ...read, episodeNumbers: others };
}
