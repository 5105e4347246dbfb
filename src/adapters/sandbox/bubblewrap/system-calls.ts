/** The processors there is a table for; on any other the filter refuses, it does not guess. */
export type FilterArchitecture = "x86_64" | "arm64";

/** Numbers of one system call on x86_64 and on arm64. */
type CallNumbers = readonly [x86_64: number, arm64: number];

/** `AUDIT_ARCH_*`: what the kernel puts into `seccomp_data.arch`. */
export const auditArchitecture: Readonly<Record<FilterArchitecture, number>> = {
  x86_64: 0xc000003e,
  arm64: 0xc00000b7,
};

/** Calls answered with EPERM: reading other processes, mounts, namespaces, kernel surfaces no test needs. */
export const forbiddenCalls: Readonly<Record<string, CallNumbers>> = {
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  process_madvise: [440, 440],
  pidfd_getfd: [438, 438],
  kcmp: [312, 272],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  open_tree: [428, 428],
  open_tree_attr: [467, 467],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  unshare: [272, 97],
  setns: [308, 268],
  bpf: [321, 280],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  userfaultfd: [323, 282],
  perf_event_open: [298, 241],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  fanotify_init: [300, 262],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  swapon: [167, 224],
  swapoff: [168, 225],
  reboot: [169, 142],
  acct: [163, 89],
  syslog: [103, 116],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  adjtimex: [159, 171],
  clock_adjtime: [305, 266],
};

/** Calls answered with ENOSYS, so that programs fall back to the older call that the filter can read. */
export const absentCalls: Readonly<Record<string, CallNumbers>> = {
  clone3: [435, 435],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
};

/** Calls that are allowed or not by one argument. */
export const inspectedCalls: Readonly<Record<"clone" | "ioctl" | "socket", CallNumbers>> = {
  clone: [56, 220],
  ioctl: [16, 29],
  socket: [41, 198],
};

/** The number of a call on one processor. */
export function callNumber(numbers: CallNumbers, architecture: FilterArchitecture): number {
  return architecture === "x86_64" ? numbers[0] : numbers[1];
}
