// Numbers the workgroups. A dispatch may have more of them than a device takes in x alone, so they are laid out in x
// and y.
uint group_number() { return gl_WorkGroupID.x + gl_WorkGroupID.y * gl_NumWorkGroups.x; }
uvec2 groups_xy(uint groups) { return uvec2(min(groups, 32768u), (groups + 32767u) / 32768u); }
