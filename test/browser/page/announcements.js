// What a player tells of the breaks and ads that manifests announce, as an application hears it that knows no SDK.

const AD = 'urn:svta:advertising-wg:ad-creative-signaling';
const BREAK = 'urn:midroll:break:2026';

/** @param date of the picture on screen */
export function hearing(date) {
  const heard = [];
  const known = new Set();
  const hear = (kind, id) => {
    if (known.has(`${kind} ${id}`)) return;
    known.add(`${kind} ${id}`);
    heard.push({ kind, id, at: date() ?? null });
  };
  const hearSignal = (json) => hear('ad', JSON.parse(json).payload[0].identifiers[0].value);
  return { heard, hear, hearSignal };
}

/** hls.js makes a cue of each attribute that is the application's. */
export function hearInCues(video, { hear, hearSignal }) {
  const look = () => {
    for (const track of video.textTracks) {
      for (const { value } of track.activeCues ?? []) {
        if (value?.key === 'X-MIDROLL-BREAK') hear('break', value.data);
        if (value?.key === 'X-AD-CREATIVE-SIGNALING') hearSignal(atob(value.data));
      }
    }
  };
  const timer = setInterval(look, 100);
  return () => clearInterval(timer);
}

/** shaka has regions, of date ranges and of events alike, and makes ads of the signals that it knows. */
export function hearInShaka(player, { hear, hearSignal }) {
  player.addEventListener('timelineregionenter', ({ detail }) => {
    const { schemeIdUri, id, eventNode, values } = detail;
    const text = eventNode?.children?.join('') ?? '';
    if (schemeIdUri === BREAK) hear('break', text || id);
    if (schemeIdUri === AD) hearSignal(text || atob(values.find(({ key }) => key === 'X-AD-CREATIVE-SIGNALING').data));
  });
  let started = 0;
  player.getAdManager().addEventListener('ad-started', () => {
    started += 1;
    hear('shaka ad', started);
  });
}

export function hearInDash(player, { hear, hearSignal }) {
  const mode = { mode: 'eventModeOnStart' };
  player.on(BREAK, ({ event }) => hear('break', event.messageData), undefined, mode);
  player.on(AD, ({ event }) => hearSignal(event.messageData), undefined, mode);
}

export function hearInRxPlayer(player, { hear, hearSignal }) {
  player.addEventListener('streamEvent', ({ data: { value } }) => {
    if (value.schemeIdUri === BREAK) hear('break', value.element.textContent);
    if (value.schemeIdUri === AD) hearSignal(value.element.textContent);
  });
}
