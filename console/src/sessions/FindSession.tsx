import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { Button } from '../parts/Button.tsx';
import { TextField } from '../parts/TextField.tsx';

/** An id stands in every address that a session's player asks for, so that is looked through too. */
const idIn = (text: string): string => /[0-9a-f]{8}-[0-9a-f-]{27}/i.exec(text)?.[0] ?? text.trim();

/** From a player's log to its story. */
export function FindSession() {
  const [text, setText] = useState('');
  const [, go] = useLocation();
  return (
    <form
      class="find"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') go(`/sessions/${encodeURIComponent(idIn(text))}`);
      }}
    >
      <TextField
        label="Find a session"
        type="search"
        value={text}
        onInput={setText}
        placeholder="its id, or any address of its player"
      />
      <Button type="submit">Find</Button>
    </form>
  );
}
