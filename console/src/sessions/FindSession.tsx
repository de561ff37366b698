// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { Button } from '../components/buttons/Button.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { findSessionId } from '../logic/channels/playbackUrls.ts';

/** Opens a session by its id or by any URL that its player requests: each of them contains the id. */
export function FindSession() {
  const [text, setText] = useState('');
  const [, navigate] = useLocation();
  return (
    <form
      class="find"
      onSubmit={(event) => {
        event.preventDefault();
        const id = findSessionId(text) ?? text.trim();
        if (id !== '') navigate(`/sessions/${encodeURIComponent(id)}`);
      }}
    >
      <TextField
        label="Find session"
        type="search"
        value={text}
        onInput={setText}
        placeholder="Session ID or playback URL"
      />
      <Button type="submit">Find</Button>
    </form>
  );
}
