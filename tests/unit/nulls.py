# Writes the calls that nulls.c makes: each public function of the headers given, with NULL for every pointer, and,
# where its first argument is an object, with such an object and NULL for the others. Numbers are 0, then 1, since a
# NULL that has no bytes may be allowed where one that has is not.
import re
import sys

STRUCTS = 'stijl_color', 'stijl_matrix', 'stijl_point', 'stijl_rect'


def arguments(text):
    parts, depth = [''], 0
    for c in text:
        depth += (c == '(') - (c == ')')
        if c == ',' and depth == 0:
            parts.append('')
        else:
            parts[-1] += c
    return [part.strip() for part in parts if part.strip() != 'void']


def value(argument, number):
    if '*' in argument or '[' in argument:
        return 'NULL'
    kind = argument.rsplit(' ', 1)[0]
    return '(%s){%d}' % (kind, 0 if kind in STRUCTS else number)


# What vulkan.h declares takes Vulkan's own types.
for path in (path for path in sys.argv[1:] if not path.endswith('vulkan.h')):
    with open(path) as file:
        text = ' '.join(re.sub('//.*|^#.*', '', line) for line in file)
    for name, inside in re.findall(r'STIJL_API [^;{(]*?\b(stijl_\w+)\(([^;]*)\);', ' '.join(text.split())):
        given = arguments(inside)
        if '*' not in inside and '[' not in inside:
            continue
        first = re.match(r'(?:const )?stijl_(\w+) \*\w+$', given[0]) if given else None
        for number in 0, 1:
            rest = [value(argument, number) for argument in given]
            print('NULLS(%s(%s))' % (name, ', '.join(rest)))
            if first and not name.endswith(('_destroy', '_init')) and not first[1].endswith('_params'):
                print('OBJECT(%s, %s(%s))' % (first[1], name, ', '.join(['object'] + rest[1:])))
