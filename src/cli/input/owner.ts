import { readFileSync } from 'node:fs'

/** A line that tells this process from every other one, to be left where something belongs to it. */
export function ownLine(): string {
  return `${process.pid} ${startOf(process.pid) ?? ''}\n`
}

/** The number of the process in such a line; `?` where there is none. */
export function processIn(owner: string | undefined): string {
  return /^\d+/.exec(owner ?? '')?.[0] ?? '?'
}

/** Whether the process that left such a line is there. */
export function isAlive(owner: string): boolean {
  const [pid, start] = owner.trim().split(' ')
  const number = Number(pid)
  if (!Number.isInteger(number) || number <= 0) return false
  try {
    process.kill(number, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  if (isOver(number)) return false
  // Numbers of processes are used again: the time of its start tells whether it is the same one, where it can be asked.
  const now = startOf(number)
  return now === undefined || start === undefined || start === now
}

/** What the system tells of a process after its name; undefined where it does not tell. */
function statOf(pid: number): readonly string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

/** Whether a process has ended and only its parent has not asked how: in a container, nobody may ever ask. */
function isOver(pid: number): boolean {
  return /^[ZX]$/.test(statOf(pid)?.[0] ?? '')
}

/** When a process started, in ticks of the system; undefined where it does not tell. */
function startOf(pid: number): string | undefined {
  return statOf(pid)?.[19]
}
