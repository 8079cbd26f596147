/**
 * Whether raw call arguments end before their JSON does: the stream was cut, whatever the finish reason says.
 * Text that is wrong in another way is not cut off.
 */
export function isCutOff(raw: string): boolean {
  const closers: string[] = [];
  let inString = false;
  for (let index = 0; index < raw.length; index += 1) {
    const character = raw[index];
    if (inString) {
      if (character === '\\') index += 1;
      else if (character === '"') inString = false;
      continue;
    }
    if (character === '"') inString = true;
    else if (character === '{') closers.push('}');
    else if (character === '[') closers.push(']');
    else if ((character === '}' || character === ']') && closers.pop() !== character) return false;
  }
  return inString || closers.length > 0;
}
