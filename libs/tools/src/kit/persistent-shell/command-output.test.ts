import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CommandOutput } from './command-output.ts';
import { bashDialect, pwshDialect } from './shell-dialect.ts';

const markers = bashDialect.markers('n1');

function read(pieces: string[], maxChars = 100): { text: string; status: number | undefined } {
  const output = new CommandOutput({ ...markers, maxChars });
  for (const piece of pieces) output.push(piece);
  return { text: output.text(), status: output.status };
}

describe('what stands between the markers', () => {
  const { start, end } = markers;
  test.each([
    ['nothing', `${start}\n${end}:0\n`, { text: '', status: 0 }],
    ['a line', `noise\n${start}\nhi\n${end}:0\neverturn> `, { text: 'hi', status: 0 }],
    ['no line end', `${start}\nhi${end}:3\n`, { text: 'hi', status: 3 }],
    ['only its last line end goes', `${start}\n\nhi\n\n${end}:0\n`, { text: '\nhi\n', status: 0 }],
    ['a torn end', `${start}\nhi\n${end}:1`, { text: `hi\n${end}:1`, status: undefined }],
    [
      'another command’s end',
      `${start}\n${bashDialect.markers('n2').end}:0\n`,
      {
        text: `${bashDialect.markers('n2').end}:0`,
        status: undefined,
      },
    ],
    ['before the start', 'everturn> ', { text: '', status: undefined }],
  ])('%s', (_what, printed, expected) => {
    expect(read([printed])).toEqual(expected);
    expect(read([...printed])).toEqual(expected);
  });

  test('is the same whatever the pieces, and its beginning where it is long', () => {
    const printed = `typed\n${start}\n${'line\n'.repeat(30)}${end}:0\n`;
    const expected = read([printed]);
    expect(expected.text).toMatch(/^(line\n){20}<response clipped><NOTE>.*150 characters.*grep -n.*<\/NOTE>$/s);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: printed.length }), { maxLength: 10 }), (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), printed.length];
        expect(read(places.slice(1).map((place, index) => printed.slice(places[index], place)))).toEqual(expected);
      }),
    );
  });

  test('exactly as much as fits is not clipped', () => {
    expect(read([`${start}\n${'x'.repeat(100)}\n${end}:0\n`])).toEqual({ text: 'x'.repeat(100), status: 0 });
  });
});

describe.each([bashDialect, pwshDialect])('the line of $name', (dialect) => {
  const line = dialect.line("echo 'a\tb'\ncat <<'E'\n!x\nE", 'n1');

  test('is one line of plain ASCII, and its echo is no marker', () => {
    expect(line).toMatch(/^[ -~]+$/);
    const { start, end } = dialect.markers('n1');
    expect([line.includes(start), line.includes(`${end}:`)]).toEqual([false, false]);
  });
});

test('what a PowerShell without line editing prints is read like that: prompt and echo go, the same text inside stays', () => {
  const { start, end } = pwshDialect.markers('n1');
  const output = new CommandOutput({ start, end, maxChars: 1_000 });
  const printed = [
    'everturn> ',
    `${pwshDialect.line('"everturn> "', 'n1')}\n`,
    `${start}\n`,
    'everturn> \n',
    `${end}:0\neverturn> `,
  ];
  for (const piece of printed) output.push(piece);
  expect([output.text(), output.status]).toEqual(['everturn> ', 0]);
});
