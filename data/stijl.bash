# bash completion for stijl(1)
_stijl() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
  # "--isa=av" is three words for bash.
  if [ "$cur" = "=" ]; then
    cur=
  elif [ "$prev" = "=" ] && [ "$COMP_CWORD" -gt 2 ]; then
    prev=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  COMPREPLY=()
  if [ "$COMP_CWORD" = 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W "render compare match devices --help --version" -- "$cur")
    return
  fi
  case $command in
    render)
      case $prev in
        --backend) mapfile -t COMPREPLY < <(compgen -W "auto cpu vulkan" -- "$cur"); return ;;
        --isa) mapfile -t COMPREPLY < <(compgen -W "auto scalar sse avx2 avx512 neon" -- "$cur"); return ;;
        --png-level) mapfile -t COMPREPLY < <(compgen -W "0 1 2 3 4 5 6 7 8 9" -- "$cur"); return ;;
        --resources-dir) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$cur"); return ;;
        -o | --output | --stats) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
        -w | --width | -h | --height | -z | --zoom | -b | --background | --device | --threads | --repeat | --dpi | \
          --language | --max-*) return ;;
      esac
      if [[ $cur == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "-o -w -h -z -b -q --output --width --height --zoom --background --quiet \
          --backend --device --isa --threads --stats --repeat --png-level --resources-dir --allow-all-files --language \
          --dpi --max-pixels --max-bytes --max-elements --max-depth --max-seconds --max-image-pixels \
          --max-layer-bytes --help" -- "$cur")
      else
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -f -X '!*.[sS][vV][gG]' -- "$cur"; compgen -f -X '!*.[sS][vV][gG][zZ]' -- "$cur"
          compgen -d -- "$cur")
      fi
      ;;
    compare)
      if [[ $cur == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "--help" -- "$cur")
      else
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
      fi
      ;;
    match)
      case $prev in
        --engine) mapfile -t COMPREPLY < <(compgen -W "reference cpu vulkan" -- "$cur"); return ;;
        --media) mapfile -t COMPREPLY < <(compgen -W "all print screen" -- "$cur"); return ;;
        --stats) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
        --device | --threads | --width | --height | --repeat | --max-*) return ;;
      esac
      if [[ $cur == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "-q --json --unused --engine --device --threads --applied --media --width \
          --height --dark --allow-all-files --repeat --stats --max-bytes --max-elements --max-depth --max-selectors \
          --max-matches --max-memory --max-seconds --quiet --help" -- "$cur")
      else
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
      fi
      ;;
    devices) mapfile -t COMPREPLY < <(compgen -W "--json --help" -- "$cur") ;;
  esac
}
complete -F _stijl stijl
